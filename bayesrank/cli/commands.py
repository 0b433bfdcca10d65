"""The command line. Nothing heavy is imported before the arguments are known to be good."""

import sys
import warnings
from contextlib import nullcontext

from bayesrank.cli.arguments import build_parser
from bayesrank.cli.failures import EXPECTED, Failures, sentence
from bayesrank.cli.fits import check_numbers, finish, fit_for, say
from bayesrank.cli.streams import patient_streams
from bayesrank.cli.suggesting import suggest
from bayesrank.cli.targets import check_targets
from bayesrank.progress import no_progress
from bayesrank.text import at_the_terminal

__all__ = ["main"]


def main(arguments=None):
    """Run a command; return 0, or 2 after one plain sentence about a user's mistake."""
    with patient_streams() as (out, _):
        code = _run(build_parser().parse_args(arguments))
        out.flush()
        # Whoever read the output may have seen enough, as `head` does: that is not a mistake.
        if out.error is not None and not isinstance(out.error, BrokenPipeError):
            say(f"bayesrank: the table could not be printed: {out.error.strerror}.")
            code = code or 2
    return code


def _run(options):
    """Return the exit code of the command, with any mistake said in a sentence."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            with at_the_terminal(), no_progress() if options.quiet else nullcontext():
                return _COMMANDS[options.command](options)
    except EXPECTED as error:
        say(f"bayesrank: {sentence(error)}")
        return 2
    except KeyboardInterrupt:
        say("bayesrank: stopped.")
        return 130


def rank(options):
    """Rank the items of a source, write what was asked for, print the table and the answers."""
    _check(options)
    from bayesrank.cli.outputs import write_fit, write_outputs
    from bayesrank.cli.questions import Questions

    fit, questions = fit_for(options, Questions.about)
    fit = _in_the_category(options, fit)

    said, failures = [], Failures()
    # What took long is kept before anything else can go wrong, and files are written before
    # anything is printed: whoever reads may leave, or stop reading, at any line.
    written = write_fit(options, fit, failures)
    try:
        table = questions.answer(fit, questions.table(fit), said, failures)
        written += write_outputs(options, fit, table, failures)
    finally:
        for printed in said:
            printed()
        sys.stdout.flush()
    return finish(options, fit, written, failures)


def _check(options):
    """Refuse what cannot work, before the work and not after it."""
    check_targets(options)
    check_numbers(options, "draws", "chains", "top", "tune")
    if not options.seconds > 0:
        raise ValueError(f"--seconds must be positive, got {options.seconds:g}.")
    if not 0.0 < options.prob < 1.0:
        raise ValueError(f"--prob must be between 0 and 1, got {options.prob:g}.")
    for name in ("judge", "against"):
        path = getattr(options, name)
        # A list of names may come through a pipe, a saved fit may not.
        if path is not None and not (path.is_file() or (name == "judge" and path.is_fifo())):
            raise ValueError(f"--{name}: there is no file '{path}'.")
    if options.title is not None and not options.report:
        raise ValueError("--title is the heading of a page: give --report FILE.html too.")
    if options.picture != "ranking" and not options.plot:
        raise ValueError(f"--picture {options.picture} needs --plot FILE.png to be drawn to.")


def _in_the_category(options, fit):
    """Return the fit as seen in the category that was asked for."""
    if not options.quiet and fit.about_categories:
        say(fit.about_categories)
    if options.in_category is None:
        return fit
    known = {str(label): label for label in fit.specification.data.categories}
    if not options.quiet:
        say(f"The ranking is of category {options.in_category}.")
    return fit.in_category(known[options.in_category])


def _show_warning(message, category, filename, lineno, file=None, line=None):
    say(f"bayesrank: {' '.join(str(message).split())}")


_COMMANDS = {"rank": rank, "suggest": suggest}
