#!/usr/bin/env python3
"""Runs the same jobs by gssl and by the programs that are installed; writes compare.md, a table, and compare.svg.

  compare.py --gssl build/release/bin/gssl --output FOLDER [--scale S] [--runs N] [--job NAME]...

A time is that of the whole process, reading and writing included, the least of N runs (3), one program after the other
in turn. Where the answers differ by more than the job allows, the cell says so instead of a ratio. What was measured is
kept in FOLDER/compare.json: with --job, the rows of other jobs are those of an earlier run. Needs numpy.
"""

import argparse
import html
import importlib.util
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import time

from jobs import jobs


def measured(argv):
    """Seconds of the wall, seconds of processors, bytes of memory of one process."""
    begin = time.perf_counter()
    process = subprocess.Popen([str(word) for word in argv], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"compare: {' '.join(map(str, argv))}: exit status {process.returncode}\n{text}")
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def run_peer(arguments):
    """In a process of its own: answers one job by one program, and leaves the answer in a file."""
    name, program, folder, scale = arguments
    folder = pathlib.Path(folder)
    answer = jobs(float(scale))[name].peer(program, folder)
    (folder / "answer.pickle").write_bytes(pickle.dumps(answer))


def compare(name, job, options):
    """Rows (job, program, wall, processors, memory, agreement or None) of one job, gssl first."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        job.make(folder)
        title = job.name.format(job.size)
        ours = [measured([options.gssl, *job.command(folder), "--quiet"]) for _ in range(options.runs)]
        answer = job.ours(folder)
        rows = [(title, "gssl", *map(min, zip(*ours)), 1.0)]
        for program, module in job.peers:
            if importlib.util.find_spec(module) is None:
                rows.append((title, program, None, None, None, None))
                continue
            argv = [sys.executable, __file__, "--peer", name, program, folder, str(options.scale)]
            theirs = [measured(argv) for _ in range(options.runs)]
            agreed = job.agreement(answer, pickle.loads((folder / "answer.pickle").read_bytes()))
            rows.append((title, program, *map(min, zip(*theirs)), agreed if agreed >= job.least else -agreed))
        return rows


def table(rows):
    text = "| job | program | seconds | of processors | MB | ratio | answers agree |\n|---|---|---|---|---|---|---|\n"
    ours = None
    for title, program, wall, processors, memory, agreed in rows:
        if program == "gssl":
            ours = wall
        if wall is None:
            text += f"| {title} | {program} | not installed | | | | |\n"
            continue
        ratio = "" if program == "gssl" else f"{ours / wall:.2f}" if agreed >= 0 else "answers differ"
        same = "" if program == "gssl" else f"{abs(agreed):.4f}"
        text += f"| {title} | {program} | {wall:.2f} | {processors:.2f} | {memory / 1e6:.0f} | {ratio} | {same} |\n"
    return text + "\nRatio: seconds of gssl over those of the other program; below 1 gssl is faster.\n"


def picture(rows):
    """A bar for each program, as long as its time beside the longest of the job."""
    done = [row for row in rows if row[2] is not None]
    lines, y, title = [], 8, None
    for job, program, wall, _, _, _ in done:
        if job != title:
            longest = max(row[2] for row in done if row[0] == job)
            y += 26
            lines.append(f'<text x="8" y="{y}" class="job">{html.escape(job)}</text>')
            title = job
        y += 20
        length = max(1.0, 340 * wall / longest)
        kind = "ours" if program == "gssl" else "theirs"
        lines.append(f'<text x="8" y="{y}">{html.escape(program)}</text>')
        lines.append(f'<rect x="260" y="{y - 11}" width="{length:.1f}" height="13" class="{kind}"/>')
        lines.append(f'<text x="{266 + length:.1f}" y="{y}">{wall:.2f} s</text>')
    style = ("text{font:12px system-ui,sans-serif;fill:#57606a}.job{font-weight:600}.ours{fill:#0b5cad}"
             ".theirs{fill:#ae8a6d}@media(prefers-color-scheme:dark){text{fill:#9aa4af}.ours{fill:#7ab8f5}}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {y + 14}" role="img" '
            f'aria-label="Seconds of gssl and of other programs"><style>{style}</style>\n' + "\n".join(lines) + "\n</svg>\n")


def main():
    if sys.argv[1:2] == ["--peer"]:
        return run_peer(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gssl", default="gssl")
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--scale", default=1.0, type=float)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--job", action="append", help="only this one; repeatable")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    kept = options.output / "compare.json"
    measured_before = json.loads(kept.read_text()) if options.job and kept.exists() else {}
    rows = []
    for name, job in jobs(options.scale).items():
        if not options.job or name in options.job:
            measured_before[name] = compare(name, job, options)
            kept.write_text(json.dumps(measured_before, indent=1))
        rows += measured_before.get(name, [])
    (options.output / "compare.md").write_text(table(rows))
    (options.output / "compare.svg").write_text(picture(rows))
    print(table(rows))


main()
