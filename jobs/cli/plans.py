"""Plans for a person: step by step, what must be so, what to run, and how to see that it worked."""

from collections.abc import Iterator, Mapping, Sequence

from rich.padding import Padding
from rich.text import Text

from jobs.cli.answer import print_rows
from jobs.cli.options import Format
from jobs.cli.terminal import console_on_stdout
from jobs.cli.values import as_text
from jobs.plans.step import COMMAND, Step

_COLUMNS = ("cluster", "step", *Step._fields)


def print_plans(plans: Mapping[str, Sequence[Step]], form: Format) -> None:
    """Print the steps of each cluster's plan, numbered from 1. Commands stand alone on their lines, to be copied."""
    if form is not Format.TABLE:
        rows = [
            (name, number, *step) for name, steps in plans.items() for number, step in enumerate(steps, 1)
        ]
        print_rows(_COLUMNS, rows, form)
        return
    console = console_on_stdout()
    for name, steps in plans.items():
        title = "one step after the other" if steps else "every topic has one id: nothing to do"
        console.print(Text.assemble((as_text(name), "bold"), f": {title}"))
        for number, step in enumerate(steps, 1):
            console.print(_title(number, step))
            for line in _lines(step):
                # A command that is wrapped could not be copied.
                console.print(Padding.indent(line, 3), soft_wrap=COMMAND in line.plain)
        console.print()


def _title(number: int, step: Step) -> Text:
    return Text.assemble(
        (f"{number}. {as_text(step.subject)}", "bold"), (f" {step.state}  ", "yellow"), as_text(step.does)
    )


def _lines(step: Step) -> Iterator[Text]:
    for reason in step.not_now:
        yield Text.assemble(("not now: ", "bold red"), as_text(reason))
    if step.not_now:
        return
    yield from _said("before: ", step.before)
    if step.run:
        yield Text("run:", "bold")
        yield from (Text(f"{COMMAND}{as_text(line)}") for line in step.run.splitlines())
    yield from _said("after: ", step.after)


def _said(when: str, lines: Sequence[str]) -> Iterator[Text]:
    for line in lines:
        yield (
            Text(as_text(line)) if line.startswith(COMMAND) else Text.assemble((when, "bold"), as_text(line))
        )
