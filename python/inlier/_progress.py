"""How far a job has come: a line in a terminal, a bar in a notebook, or a function of one's own."""

import contextlib
import html
import sys

_how = "auto"


def set_progress(how="auto"):
    """Says who sees the progress of fits and checks.

    "auto": a terminal or notebook, where there is one; False: nobody; a function: it is called with each event, a dict with
    `job`, `phase`, `part` (from 0 to 1) and, for a fit, `step` (its `objective` and `number`). Returns what held before.
    """
    global _how
    before, _how = _how, how
    return before


class _Terminal:
    def __init__(self, title):
        self.title, self.shown = title, 0

    def __call__(self, event):
        line = f"{self.title}: {_words(event)}"[:110]
        sys.stderr.write("\r" + line.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(line)

    def close(self):
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()


class _Notebook:
    def __init__(self, title):
        self.title, self.display = title, None

    def __call__(self, event):
        from IPython.display import HTML, display

        part = min(max(event.get("part", 0), 0), 1)
        bar = HTML(f'<progress value="{part:.3f}" max="1" style="width:20em"></progress> {html.escape(self.title)}: {html.escape(_words(event))}')
        if self.display is None:
            self.display = display(bar, display_id=True)
        else:
            self.display.update(bar)

    def close(self):
        if self.display is not None:
            from IPython.display import HTML

            self.display.update(HTML(""))


def _words(event):
    text = f"{100 * event.get('part', 0):3.0f} % {event.get('phase', '')}"
    if step := event.get("step"):
        text += f", step {step['step']}, objective {step['objective']:.6g}"
    return text


def _notebook():
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell is not None else None
    return shell is not None and hasattr(shell, "kernel")


@contextlib.contextmanager
def watch(title):
    """What is told of a job with a title; None: nothing."""
    shown = None
    if title is not None and _how is not False:
        if callable(_how):
            yield _how
            return
        if _notebook():
            shown = _Notebook(title)
        elif sys.stderr is not None and sys.stderr.isatty():
            shown = _Terminal(title)
    try:
        yield shown
    finally:
        if shown is not None:
            shown.close()
