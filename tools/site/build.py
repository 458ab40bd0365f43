#!/usr/bin/env python3
"""Makes the site: every page of docs/, the learners from the command itself, the man pages, the API if Doxygen ran.

  build.py SOURCE_FOLDER GSSL OUTPUT_FOLDER [API_FOLDER]

Needs pandoc and mandoc. Links and anchors of all pages are checked; one that leads nowhere is an error.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

source, gssl, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
api = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
site = source / "tools" / "site"
data = json.loads(subprocess.run([gssl, "help", "--format", "json"], check=True, capture_output=True).stdout)


def pandoc(text, target, page, source_format, title=None):
    """One page from text; `page` is where the text stands in the sources."""
    depth = len(pathlib.PurePosixPath(target).parts) - 1
    root = "../" * depth
    argv = ["pandoc", "--from", source_format, "--to", "html5", "--standalone", "--template", site / "page.html",
            "--lua-filter", site / "links.lua", "--no-highlight", "--metadata", f"page={page}",
            "--metadata", f"root={root}", "--metadata", f"version={data['version']}", "--wrap=none"]
    argv += ["--metadata", f"title={title or 'gssl'}"]
    if api:
        argv += ["--metadata", "api=true"]
    path = out / target
    path.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(argv, input=text, stdout=subprocess.PIPE, check=True, text=True)
    path.write_text(done.stdout)


def markdown_pages():
    """(file of the sources, page of the site)."""
    pages = [("README.md", "index.html"), ("docs/README.md", "guide.html"),
             ("docs/examples/README.md", "examples/index.html"), ("CONTRIBUTING.md", "contributing.html"),
             ("datasets/README.md", "datasets.html"), ("tests/bench/RESULTS.md", "results.html")]
    for path in sorted((source / "docs").glob("*.md")):
        if path.name != "README.md":
            pages.append((f"docs/{path.name}", f"{path.stem}.html"))
    for path in sorted((source / "tests" / "bench" / "results").glob("*.md")):
        pages.append((f"tests/bench/results/{path.name}", f"results_{path.stem}.html"))
    return pages


def write_docs():
    for page, target in markdown_pages():
        text = (source / page).read_text()
        title = next((line.lstrip("# ").replace("`", "") for line in text.splitlines() if line.startswith("# ")), None)
        pandoc(text, target, page, "gfm", None if target == "index.html" else title)
    for path in (source / "docs").rglob("*"):
        if path.is_file() and path.suffix != ".md":
            target = out / path.relative_to(source / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def write_html(text, target, title):
    """One page from HTML, which goes into the template as it stands."""
    page = (site / "page.html").read_text()
    page = re.sub(r"\$if\(api\)\$(.*?)\$endif\$", r"\1" if api else "", page)
    values = {"root": "../" * (len(pathlib.PurePosixPath(target).parts) - 1), "version": data["version"],
              "title": title, "body": text}
    for name, value in values.items():
        page = page.replace(f"${name}$", value)
    path = out / target
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page)


def cell(text):
    return html.escape(str(text))


def table(heads, rows):
    head = "".join(f"<th>{cell(one)}</th>" for one in heads)
    heads = ["", *(f' data-head="{cell(one)}"' for one in heads[1:])]  # as links.lua has it
    body = "".join("<tr>" + "".join(f"<td{head}>{one}</td>" for head, one in zip(heads, row)) + "</tr>\n"
                   for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def write_learners():
    rows = []
    for learner in data["learners"]:
        name = learner["name"]
        rows.append((f'<a href="{name}.html"><code>{name}</code></a>', cell(", ".join(learner["kinds"])),
                     cell(learner["summary"])))
        text = f"<h1><code>{name}</code></h1>\n<p>{cell(learner['summary'])}.</p>\n"
        text += f"<p>Reference: {cell(learner['reference'])}</p>\n"
        answers = [word for word in ("classification", "regression") if learner[word]]
        text += f"<p>Kind: {cell(', '.join(learner['kinds']))}.{' For ' + cell(' and '.join(answers)) + '.' if answers else ''}</p>\n"
        if learner["options"]:
            text += f"<h2>Options</h2>\n<p>As <code>{cell(learner['usage'])}</code>.</p>\n"
            text += table(("option", "range", "default", "meaning"),
                          [(f"<code>{cell(o['name'])}</code>", cell(o["range"]), cell(o["default"] or "–"),
                            cell(o["help"])) for o in learner["options"]])
        write_html(text, f"learners/{name}.html", name)
    text = "<h1>Learners</h1>\n<p>What <code>--method</code>, <code>--criterion</code> and <code>kernel=</code> take, by kind.</p>\n"
    write_html(text + table(("name", "kind", "what it does"), rows), "learners/index.html", "Learners")


def write_manual():
    folder = out / "man"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([gssl, "help", "--man", folder / "roff"], check=True)
    if gssl.with_name("gssl-mpi").exists():
        subprocess.run([gssl.with_name("gssl-mpi"), "--man", folder / "roff"], check=True)
    rows = []
    for path in sorted((folder / "roff").iterdir(), key=lambda p: (p.suffix, p.stem)):
        text = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", path], check=True,
                              capture_output=True, text=True).stdout
        write_html(text, f"man/{path.name}.html", path.name)
        brief = path.read_text().split(" \\- ", 1)[1].splitlines()[0].replace("\\-", "-")
        rows.append((f'<a href="{path.name}.html">{path.stem}({path.suffix[1:]})</a>', cell(brief)))
    shutil.rmtree(folder / "roff")
    write_html("<h1>Manual</h1>\n" + table(("page", "what it says"), rows), "man/index.html", "Manual")


def write_api():
    """Doxygen's pages without their scripts, which they can do without."""
    shutil.copytree(api, out / "api", ignore=shutil.ignore_patterns("*.js"))
    script = re.compile(r"<script.*?</script>\n?", re.DOTALL)
    for path in (out / "api").glob("*.html"):
        text = script.sub("", path.read_text())
        if 'name="nested-classes"' not in text:  # Doxygen links to a list that it leaves out
            text = text.replace('<a href="#nested-classes">Classes</a> &#124;', "")
        path.write_text(text)


def main():
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    shutil.copy(site / "style.css", out)
    write_docs()
    write_learners()
    write_manual()
    if api:
        write_api()
    sys.exit(subprocess.run([sys.executable, site / "check_links.py", out]).returncode)


main()
