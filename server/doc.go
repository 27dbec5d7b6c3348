// Package server is Inlier as a web service: the page at / for people who never open a terminal, and an HTTP interface
// under /api/v1 for programs. It turns JSON into requests of package inlier, runs them as jobs, one after the other, and
// tells what happens to them by one stream of events per page.
//
// # State
//
// Everything is kept in one folder of plain files: uploads, results and models, and a journal, lines of JSON that are
// added to, and shortened as a whole when a server starts. A file appears whole or not at all, and its line in the journal follows it, so that after a crash nothing
// that was finished is lost; jobs that were not are shown as interrupted and can be run again. A folder belongs to one
// server at a time.
//
// # Safety
//
// No path of a request reaches the file system: uploads, jobs and models have names that the server draws. What a request
// may ask for is bounded before work begins: its body, the memory of a table, jobs that wait, the time of a
// job. Requests are answered only under the server's own names (a page elsewhere may point a name of its own at this
// machine), and those that change something only from the server's own pages. On addresses that others can reach a token
// is required.
package server
