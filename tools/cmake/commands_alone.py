"""Commands that check the sources on standard input each by itself and write nothing, one a line.

    printf '%s\\n' io/src/npy.cpp | tools/cmake/commands_alone.py COMPILE_COMMANDS.json
"""
import json
import os
import re
import shlex
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    command_of = {entry["file"]: entry for entry in json.load(file)}
for source in sys.stdin.read().split():
    entry = command_of.get(os.path.abspath(source))
    if entry is None:
        print(f"alone: left out, its libraries are not here: {source}", file=sys.stderr)
        continue
    command = re.sub(r" -o \S+", " -fsyntax-only", entry["command"])
    print(f"cd {shlex.quote(entry['directory'])} && {command}")
