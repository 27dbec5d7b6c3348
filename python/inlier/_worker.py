"""The worker: one process of the program `inlier`, to which calls go as messages.

A message is JSON and raw frames; the package `worker` of the Go module describes it. There is one worker in a process of
Python, started at the first call, started again when it has died, and ended with Python. After a fork the child has its own.
"""

import atexit
import collections
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import weakref

import numpy as np

from . import _errors, _progress

_MAGIC = b"inl1"
_SMALL = 1 << 15  # bytes that are written at once
_TYPES = frozenset(np.dtype(t) for t in ("float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"))


def binary():
    """The program: $INLIER_BINARY, the one of this package, or the one on the path."""
    own = os.path.join(os.path.dirname(__file__), "bin", "inlier.exe" if os.name == "nt" else "inlier")
    found = os.environ.get("INLIER_BINARY") or (own if os.path.exists(own) else shutil.which("inlier"))
    if not found:
        raise FileNotFoundError("the program inlier is not there: install the package with `pip install ./python` of the repository, or set INLIER_BINARY")
    return found


def _threads():
    """How many cores the worker may use; None: all. Pools of processes say it as they do to OpenMP."""
    for name in ("INLIER_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(name, "")
        if text.isdigit() and int(text) > 0:
            return text
    return None


class Frames:
    """The arrays of a message."""

    def __init__(self):
        self.list = []

    def add(self, a):
        """Takes an array as it is; other element types and orders are brought to what the worker reads."""
        if a.dtype not in _TYPES:
            a = a.astype(np.float32 if a.dtype == np.float16 else np.float64)
        if not a.flags.c_contiguous:
            a = np.ascontiguousarray(a)
        self.list.append(a.reshape(-1).view(np.uint8).data if a.size else b"")
        return {"frame": len(self.list) - 1, "type": a.dtype.name, "shape": list(a.shape)}

    def raw(self, b):
        self.list.append(b)
        return {"frame": len(self.list) - 1, "type": "uint8", "shape": [len(b)]}


class Answer:
    __slots__ = ("result", "handle", "arrays")

    def __init__(self, body, frames):
        self.result, self.handle, self.arrays = body.get("result"), body.get("handle", 0), {}
        for name, a in body.get("arrays", {}).items():
            self.arrays[name] = frames[a["frame"]].view(a["type"]).reshape(a["shape"])


class Worker:
    """One process."""

    def __init__(self):
        arguments = [binary(), "worker"]
        if threads := _threads():
            arguments += ["--threads", threads]
        # What it says when it breaks is read only then. It has a session of its own: Ctrl-C is ours to pass on.
        try:
            self.said = tempfile.TemporaryFile()
        except OSError:  # there is no room for it
            self.said = open(os.devnull, "w+b")
        own = {"start_new_session": True} if os.name == "posix" else {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, bufsize=0, **own)
        self.to, self.answers = self.process.stdin, io.BufferedReader(self.process.stdout, 1 << 16)
        if sys.platform == "linux":
            import fcntl

            for pipe in (self.to, self.process.stdout):
                try:
                    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
                except (AttributeError, OSError):  # more than this user may have
                    pass
        self.lock = threading.Lock()
        self.freed = collections.deque()
        self.last, self.asking = 0, None
        self.interrupts, self.reading, self.broken = 0, False, False

    def alive(self):
        return not self.broken and self.process.poll() is None

    def close(self, patience=2.0):
        """Ends the process: it does so by itself when nobody writes any more, or when it is told to, where another thread waits for an answer."""
        idle = self.lock.acquire(blocking=False)
        self.broken = True
        if idle:
            _shut(self.to)
        else:
            self.process.terminate()
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if idle or self.asking != threading.get_ident() and self.lock.acquire(timeout=5):  # who was waiting hears that it has ended
            for stream in (self.to, self.answers, self.said):
                _shut(stream)
            self.lock.release()

    def leave(self):
        """Forgets the process without a word to it: it is that of the process from which this one was forked."""
        for stream in (self.to, self.process.stdout, self.said):  # not the buffer, whose lock another thread may have held
            _shut(stream)
        self.broken = True
        self.process.returncode = 0  # nothing to wait for

    def ask(self, body, frames, watch=None):
        """Sends one request and returns its answer."""
        self.refuse_nested()
        with self.lock:
            if not self.alive():
                raise _Unsent("the worker has ended before it was asked")
            self.asking = threading.get_ident()
            try:
                return self._exchange(body, frames, watch)
            finally:
                self.asking = None

    def refuse_nested(self):
        if self.asking == threading.get_ident():
            raise RuntimeError("the worker is at a job of this thread: a function that is told of progress cannot give it another")

    def free(self, handle):
        """Gives up what a handle names: at once where no other message is on its way, else with the next one. Whoever collects garbage may call it."""
        self.freed.append(handle)
        if self.lock.acquire(blocking=False):
            try:
                if not self.broken:
                    self._all(_message({"job": "cancel", "free": self._given_up()}, []))
            except (OSError, ValueError):  # it has ended
                pass
            finally:
                self.lock.release()

    def _given_up(self):
        handles = []
        while self.freed:
            handles.append(self.freed.popleft())
        return handles

    def _exchange(self, body, frames, watch):
        self.last += 1
        body, freed = {**body, "id": self.last}, self._given_up()
        if freed:
            body["free"] = freed
        try:
            message = _message(body, frames)
        except BaseException:
            self.freed.extend(freed)
            raise
        self.interrupts, self.reading = 0, False
        before = None
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if before is not None and before != signal.SIG_IGN:
                signal.signal(signal.SIGINT, self._interrupted)
            else:
                before = None
        try:
            try:
                self._write(message, frames)
                self.reading = True
                if self.interrupts:
                    self._cancel()
                answer = self._read(body["id"], watch)
            except (EOFError, BrokenPipeError, ConnectionError) as e:
                raise self._died() from e
            except BaseException:  # half of a message may be on its way
                self.broken = True  # also while it is not dead yet
                self.process.kill()
                raise
            finally:
                self.reading = False
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
        if self.interrupts:
            if "handle" in answer[0]:  # of what nobody gets any more
                self.freed.append(answer[0]["handle"])
            if callable(before) and before is not signal.default_int_handler:
                before(signal.SIGINT, None)
            raise KeyboardInterrupt
        return answer

    def _interrupted(self, number, frame):
        """Ctrl-C ends the job and keeps the worker; a second one does not wait for it."""
        self.interrupts += 1
        if self.interrupts > 1:
            raise KeyboardInterrupt
        if self.reading:
            self._cancel()

    def _cancel(self):
        try:
            self._write(_message({"job": "cancel", "cancel": self.last}, []), [])
        except OSError:
            pass

    def _write(self, message, frames):
        if sum(map(len, frames)) < _SMALL:
            self._all(b"".join((message, *frames)))
            return
        self._all(message)
        for f in frames:
            self._all(f)

    def _all(self, data):
        done = self.to.write(data)
        while done < len(data):
            done += self.to.write(memoryview(data)[done:])

    def _read(self, number, watch):
        while True:
            head = self._exactly(12)
            magic, length, count = struct.unpack("<4sII", head)
            if magic != _MAGIC:
                raise EOFError("the worker speaks another protocol")
            sizes = struct.unpack(f"<{count}Q", self._exactly(8 * count)) if count else ()
            body = json.loads(self._exactly(length))
            frames = []
            for size in sizes:
                frame = np.empty(size, np.uint8)
                self._fill(memoryview(frame))
                frames.append(frame)
            if body["id"] != number:
                continue
            if "event" in body:
                if watch is not None:
                    watch(body["event"])
                continue
            return body, frames

    def _exactly(self, n):
        data = self.answers.read(n)
        if data is None or len(data) < n:
            raise EOFError
        return data

    def _fill(self, view):
        done = 0
        while done < len(view):
            n = self.answers.readinto(view[done:])
            if not n:
                raise EOFError
            done += n

    def _died(self):
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        try:
            self.said.seek(0)
            said = self.said.read().decode(errors="replace").strip()
        except ValueError:
            said = ""
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        return _errors.WorkerDied(f"the worker ended {how}" + (": " + said[-2000:] if said else ""))


class _Unsent(_errors.WorkerDied):
    """Nothing was asked of it."""


def _message(body, frames):
    """A message up to its frames."""
    text = json.dumps(body, separators=(",", ":"), default=_plain).encode()
    return struct.pack(f"<4sII{len(frames)}Q", _MAGIC, len(text), len(frames), *map(len, frames)) + text


def _plain(value):
    """What JSON has for a value of NumPy, a set or a path."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return os.fspath(value) if isinstance(value, os.PathLike) else list(value)


def _shut(stream):
    try:
        stream.close()
    except OSError:
        pass


_current = None
_guard = threading.Lock()
_restoring = threading.RLock()  # of what workers hold: no two threads make the same again


def current():
    """The living worker of this process."""
    global _current
    w = _current
    if w is not None and w.alive():
        return w
    dead = None
    with _guard:
        if _current is None or not _current.alive():
            dead, _current = _current, Worker()
        w = _current
    if dead is not None:  # others may still be at it
        dead.close(0)
    return w


@atexit.register
def shutdown():
    """Ends the worker; a later call starts another."""
    global _current
    with _guard:
        w, _current = _current, None
    if w is not None:
        w.close()


def _forked():
    global _current, _guard, _restoring
    _guard, _restoring = threading.Lock(), threading.RLock()
    if _current is not None:
        _current.leave()
        _current = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def call(job, request=None, *, model=None, fill=None, names=None, title=None, again=True, **body):
    """Asks the worker. fill(frames) returns further fields of the message and puts their arrays into frames.

    A worker that dies on the way is started again and asked once more, where again says so: not for what may have
    killed it.
    """
    body["job"] = job
    if request:
        body["request"] = request
    frames = Frames()
    if fill is not None:
        body.update(fill(frames))
    unsent = 0
    with _progress.watch(title) as watch:
        if watch is not None:
            body["events"] = True
        while True:
            w = current()
            w.refuse_nested()
            try:
                if model is not None:
                    body["handle"] = model.handle(w)
                answer, received = w.ask(body, frames.list, watch)
            except _Unsent:  # another thread's job has killed it, or has ended it
                unsent += 1
                if unsent > 3:
                    raise
                continue
            except _errors.WorkerDied:
                if not again:
                    raise
                again = False
                continue
            failure = answer.get("error")
            if failure is None:
                made = Answer(answer, received)
                return (made, w) if job in ("fit", "check") else made
            if failure["kind"] == "lost" and model is not None and again:
                again = False
                model.forget()
                continue
            if failure["kind"] == "cancelled":  # not by Ctrl-C, which _exchange hears
                raise _errors.WorkerDied("the worker was told to end")
            raise _errors.exception(failure, job, names)


class Kept:
    """Something that the worker holds: known there by a handle, and made again in another worker from what is here."""

    _place = _finalizer = None  # (worker, handle)

    def held(self, w, handle):
        self.forget()
        self._place = weakref.ref(w), handle
        self._finalizer = weakref.finalize(self, w.free, handle)
        self._finalizer.atexit = False

    def forget(self):
        """Lets the worker give it up; it is made again when it is needed."""
        if self._finalizer is not None:
            self._finalizer()
        self._place = self._finalizer = None

    def handle(self, w):
        place = self._place
        if place is None or place[0]() is not w:
            with _restoring:
                place = self._place
                if place is None or place[0]() is not w:
                    self.forget()
                    self.restore(w)
                    place = self._place
        if place is None or place[0]() is not w:
            raise _Unsent("the worker has ended, and another holds it")
        return place[1]

    def restore(self, w):
        raise NotImplementedError


class Model(Kept):
    """A fitted model: the bytes of its file, which `numpy.load` opens too."""

    def __init__(self, file):
        self.file = file
        self._arrays = None

    def __getstate__(self):
        return {"file": self.file}

    def __setstate__(self, state):
        self.__init__(state["file"])

    def __deepcopy__(self, memo):
        return Model(self.file)

    def restore(self, w):
        answer, _ = w.ask({"job": "load", "from": {"frame": 0, "type": "uint8", "shape": [len(self.file)]}}, [self.file])
        if "error" in answer:
            raise _errors.exception(answer["error"], "load")
        self.held(w, answer["handle"])

    @property
    def arrays(self):
        """The arrays of the file."""
        if self._arrays is None:
            self._arrays = np.load(io.BytesIO(self.file))
        return self._arrays

    @property
    def about(self):
        """What the file says of the fit."""
        return json.loads(self.arrays["meta.json"])
