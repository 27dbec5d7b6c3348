// Command inlier-beam fits a method to a table by the machines of a cluster, and saves the model that inlier reads.
//
//	inlier-beam fit METHOD DATA... [--runner prism|flink|spark|indexed] [--endpoint HOST:PORT] [--pool HOST:PORT] --folder DIR --out MODEL
//	inlier-beam fit --request FIT.json ...
//	inlier-beam pool --port 50000
//	inlier-beam work --folder DIR --index 0 --of 4
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/beam"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	if told, ok := inlier.AsError(err); ok {
		err = told
	}
	fmt.Fprintln(os.Stderr, "inlier-beam:", err)
	os.Exit(1)
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("give one of fit, pool and work; each tells its flags with --help")
	}
	flags := flag.NewFlagSet("inlier-beam "+args[0], flag.ContinueOnError)
	folder := flags.String("folder", "", "folder that all machines see, for what passes find")
	verbose := flags.Bool("verbose", false, "tell what Beam tells")
	parse := func() error {
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		silence(*verbose)
		return nil
	}
	switch args[0] {
	case "fit":
		return fit(ctx, flags, folder, args[1:], verbose)
	case "pool":
		port := flags.Int("port", 50000, "of localhost, where the runner's processes on this machine ask for workers")
		if err := parse(); err != nil {
			return err
		}
		return beam.Serve(ctx, *port)
	case "work":
		index := flags.Int("index", 0, "which of the processes this is, from 0")
		of := flags.Int("of", 1, "how many processes there are")
		if err := parse(); err != nil {
			return err
		}
		if *folder == "" || *of < 1 || *index < 0 || *index >= *of {
			return errors.New("work needs --folder, and --index below --of")
		}
		err := beam.Work(ctx, *folder, *index, *of)
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	return fmt.Errorf("there is no command %q; there are fit, pool and work", args[0])
}

// fit makes a request of a file or of flags, and runs it.
func fit(ctx context.Context, flags *flag.FlagSet, folder *string, args []string, verbose *bool) error {
	var job inlier.Fit
	var sets settings
	request := flags.String("request", "", "file with the request as JSON, as inlier's server takes it; - is standard input; flags change it")
	runner := flags.String("runner", "prism", "who makes passes: prism (this process), flink or spark (a job service at --endpoint), indexed (processes that inlier-beam work started)")
	endpoint := flags.String("endpoint", "", "job service of the runner, host:port")
	pool := flags.String("pool", "", "pool of workers as each machine sees it, such as localhost:50000; empty: this process does the work")
	parallelism := flags.Int("parallelism", 0, "parts that the runner makes at once; 0: as it is configured")
	task := flags.String("task-size", "32MiB", "rows of a task, as numbers")
	out := flags.String("out", "", "model file to write")
	asJSON := flags.Bool("json", false, "print the result as JSON")
	method := flags.String("method", "", "method, where it is not the first argument")
	flags.Var(&sets, "set", "parameter of the method, key=value; may be repeated")
	flags.Func("loss", "loss of the methods that take one", func(v string) error { job.Loss = v; return nil })
	seed := flags.Uint64("seed", 1, "of what is drawn; that of a request is kept")
	flags.StringVar(&job.Checkpoint, "checkpoint", "", "file that keeps what each pass has found")
	var changes []func(*inlier.Data)
	dataFlags(flags, &changes)
	places, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	silence(*verbose)
	given := job
	if *request != "" {
		if job, err = readRequest(*request); err != nil {
			return err
		}
		if given.Loss != "" {
			job.Loss = given.Loss
		}
		if given.Checkpoint != "" {
			job.Checkpoint = given.Checkpoint
		}
	}
	if *method != "" {
		job.Method = *method
	} else if *request == "" && len(places) > 0 {
		job.Method, places = places[0], places[1:]
	}
	if len(places) > 0 {
		job.Data.Path, job.Data.Paths = places[0], places[1:]
	}
	for _, change := range changes {
		change(&job.Data)
	}
	if *request == "" {
		job.Seed = *seed
	}
	if len(sets) > 0 {
		if job.Parameters, err = catalog.ParseSettings(sets); err != nil {
			return err
		}
	}
	if *folder == "" || *out == "" || job.Data.Path == "" && len(job.Data.Paths) == 0 {
		return errors.New("fit needs METHOD, DATA, --folder and --out")
	}
	if err := job.Check(); err != nil {
		return err
	}
	began := time.Now()
	tell := func(p inlier.SharedPass, seconds float64) {
		fmt.Fprintf(os.Stderr, "pass %d: %d tasks, %.2f s\n", p.Number+1, p.Tasks, seconds)
	}
	switch *runner {
	case "prism", "flink", "spark":
		if (*runner == "prism") != (*endpoint == "") {
			return errors.New("--endpoint is the job service of flink or spark; prism runs in this process")
		}
		r := &beam.Runner{Endpoint: *endpoint, Pool: *pool, Parallelism: *parallelism, Told: tell}
		defer r.Close()
		job.Share = r.Share(*folder)
	case "indexed":
		job.Share = beam.Indexed(*folder)
	default:
		return fmt.Errorf("--runner %s is not known; there are prism, flink, spark and indexed", *runner)
	}
	bytes, ok := words.ParseSize(*task)
	if !ok || bytes < 1 {
		return fmt.Errorf("--task-size %s is no size", *task)
	}
	job.Share.TaskBytes = bytes
	result, err := job.Run(ctx, nil)
	if err != nil {
		return err
	}
	if err := result.Save(*out); err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(os.Stdout).Encode(result)
	}
	where := fmt.Sprintf("%d passes by %s", result.Reads, *runner)
	if result.Memory == 0 {
		where = "in this process, since the table fits into memory: --memory sets a bound"
	}
	_, err = fmt.Printf("%s on %s: %d x %d, %s, %d outliers; %s, %.1f s; %s\n", result.Method, result.Data, result.Rows, result.Columns, result.Status, result.Outliers, where, time.Since(began).Seconds(), *out)
	return err
}

// parseMixed parses flags that stand before, between and after other arguments.
func parseMixed(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

func readRequest(path string) (job inlier.Fit, err error) {
	in := io.Reader(os.Stdin)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return job, err
		}
		defer file.Close()
		in = file
	}
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	err = d.Decode(&job)
	return job, err
}

type settings []string

func (s *settings) String() string     { return strings.Join(*s, " ") }
func (s *settings) Set(v string) error { *s = append(*s, v); return nil }

// dataFlags makes a flag of every field of a request for data, named as inlier names it.
func dataFlags(flags *flag.FlagSet, changes *[]func(*inlier.Data)) {
	kind := reflect.TypeFor[inlier.Data]()
	for k := range kind.NumField() {
		field := kind.Field(k)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || name == "path" || name == "paths" {
			continue
		}
		set := func(text string) error {
			value := reflect.New(field.Type).Elem()
			switch value.Kind() {
			case reflect.String:
				value.SetString(text)
			case reflect.Bool:
				yes, err := strconv.ParseBool(text)
				if err != nil {
					return err
				}
				value.SetBool(yes)
			case reflect.Int, reflect.Int64:
				size, ok := words.ParseSize(text)
				if !ok {
					return errors.New("is no number or size")
				}
				value.SetInt(size)
			case reflect.Slice:
				value.Set(reflect.ValueOf(strings.Split(text, ",")))
			default:
				return errors.New("is given by --request alone")
			}
			*changes = append(*changes, func(d *inlier.Data) { reflect.ValueOf(d).Elem().Field(k).Set(value) })
			return nil
		}
		name = strings.ReplaceAll(name, "_", "-")
		if field.Type.Kind() == reflect.Bool {
			flags.BoolFunc(name, "as of inlier fit", set)
		} else {
			flags.Func(name, "as of inlier fit", set)
		}
	}
}

// silence leaves out what Beam and prism tell of their doings.
func silence(verbose bool) {
	log.SetLogger(&quiet{verbose})
	if !verbose {
		log.LogLevel = "error"
	}
}

type quiet struct{ verbose bool }

func (q *quiet) Log(_ context.Context, severity log.Severity, _ int, text string) {
	if q.verbose || severity >= log.SevError {
		fmt.Fprintln(os.Stderr, text)
	}
}
