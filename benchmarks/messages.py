"""All that the package says when something is wrong, in one list to be read in a row.

    python3 -m benchmarks.messages [--only FOLDER]

Errors, warnings and lines of the log, by file and line, with {...} where something is filled in.
"""

import argparse
import ast
from pathlib import Path

import bayesrank

__all__ = ["main", "messages"]

_CALLS = {"warn", "info", "Finding", "refuse", "_refuse_rows", "bad_line", "_refusal", "_exclude"}


def _text(node):
    """Return the text that an expression makes, as far as it is written down."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _text(part) if isinstance(part, ast.Constant) else "{" + ast.unparse(part.value) + "}"
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return ""


def messages(folder):
    """Yield file, line and text of each message of the package."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            call = node.exc if isinstance(node, ast.Raise) else node
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if not (isinstance(node, ast.Raise) or name in _CALLS):
                continue
            text = " ".join(filter(None, (_text(argument) for argument in call.args)))
            if text:
                yield path.relative_to(folder), call.lineno, " ".join(text.split())


def main(arguments=None):
    """Print all messages."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.messages")
    parser.add_argument("--only", default="", metavar="FOLDER", help="such as data or inference")
    options = parser.parse_args(arguments)
    folder = Path(bayesrank.__file__).parent
    found = list(dict.fromkeys(messages(folder)))
    for path, line, text in found:
        if str(path).startswith(options.only):
            print(f"{path}:{line}: {text}")
    return len(found)


if __name__ == "__main__":
    main()
