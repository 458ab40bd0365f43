#!/usr/bin/env python3
"""Runs the commands that a page of the documentation shows, and compares what it shows of their output.

  fenced_commands.py PAGE.md SOURCE_FOLDER     with gssl in PATH

Of a page, the blocks fenced as sh are run one after the other in one folder, in which datasets and docs are those of
the source folder. Where lines begin with "$ ", these are the commands, and the other lines are output: each must be
among the lines that the command prints, in this order, blanks counted as one; … stands for anything. Otherwise all
lines are commands. Blocks fenced as "sh PROGRAM" are run where PROGRAM is in PATH, as gssl-mpi may be, and blocks fenced
as python where the module gssl is installed (tests/python/test_tour.py compares what they print). Blocks fenced as cpp
are compiled (page_snippets.cpp). What cannot run is fenced as text; a block without a name is an error, so that nothing
is left out by chance.
"""

import fnmatch
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

KNOWN = {"sh", "python", "cpp", "cmake", "text", "json", "c", "toml"}


def blocks(text):
    """(language, first line number, lines) of each fenced block."""
    found, inside = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if inside is None:
                inside = (line.strip()[3:].strip(), number + 1, [])
                found.append(inside)
            else:
                inside = None
        elif inside is not None:
            inside[2].append(line)
    return found


def steps(lines):
    """(command, lines that its output must have) of each step of a block."""
    if not any(line.lstrip().startswith("$ ") for line in lines):
        return [("\n".join(lines), [])]
    result, continued = [], False
    for line in lines:
        if continued or line.lstrip().startswith("$ "):
            command = line if continued else line.lstrip()[2:]
            if continued:
                result[-1][0] += "\n" + command
            else:
                result.append([command, []])
            continued = command.endswith("\\")
        elif line.strip():
            result[-1][1].append(line)
    return result


def spaced(line):
    return re.sub(r"\s+", " ", line).strip()


def missing_line(expected, printed):
    """The first expected line that is not printed where it should be, or None."""
    lines = iter([spaced(line) for line in printed.splitlines()])
    for line in expected:
        pattern = re.sub(r"([\[?*])", r"[\1]", spaced(line)).replace("…", "*")
        if not any(fnmatch.fnmatchcase(one, pattern) for one in lines):
            return line
    return None


def run(argv, folder, place):
    # Open MPI asks root, and machines of few cores, for more than a user needs to know.
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1", **os.environ}
    done = subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{place}: exit status {done.returncode}\n{argv[-1]}\n{done.stdout}")
    return done.stdout


def main():
    page, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    count, skipped = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("datasets", "docs"):
            os.symlink(source / name, pathlib.Path(folder, name))
        for language, line, lines in blocks(page.read_text()):
            place = f"{page.name}:{line}"
            language, _, program = language.partition(" ")
            if program and shutil.which(program) is None:
                skipped += 1
                continue
            if language not in KNOWN:
                sys.exit(f"{place}: a block fenced as '{language}': name it sh, python or text")
            if language == "sh":
                for command, expected in steps(lines):
                    printed = run(["bash", "-euo", "pipefail", "-c", command], folder, place)
                    lost = missing_line(expected, printed)
                    if lost is not None:
                        sys.exit(f"{place}: not printed (in this order): {lost}\n{command}\n{printed}")
                    count += 1
            elif language == "python":
                if importlib.util.find_spec("gssl") is None:
                    skipped += 1
                    continue
                run([sys.executable, "-c", "\n".join(lines)], folder, place)
                count += 1
    print(f"{page.name}: {count} commands ran, {skipped} blocks skipped for want of a program or the module gssl")


main()
