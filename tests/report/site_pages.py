#!/usr/bin/env python3
"""Looks at every page of the documentation site in a browser, 1280 and 390 px wide.

    site_pages.py SITE CHROMIUM

Nothing sticks out, and a cell that is one short word stands on one line. Exit status 77: the browser does not
start here.
"""
import pathlib
import sys
import tempfile

import browser_probe

PROBE = """
function cut(cell) {
  const text = cell.textContent.trim();
  if (text.length === 0 || text.length > 12 || /[^\\w.]/.test(text)) return false;
  const range = cell.ownerDocument.createRange();
  range.selectNodeContents(cell);
  const boxes = [...range.getClientRects()];
  const high = Math.max(...boxes.map(r => r.bottom)) - Math.min(...boxes.map(r => r.top));
  return high > 1.5 * Math.max(...boxes.map(r => r.height));
}
function measure(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, root = page.documentElement;
  const out = [...page.body.querySelectorAll('*')].filter(e => e.getClientRects().length &&
      !(e instanceof view.SVGElement) && e.getBoundingClientRect().right > view.innerWidth + 0.5);
  const words = list => list.slice(0, 3).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 40));
  return {page: frame.name, width: view.innerWidth, height: root.scrollHeight,
    scroll: Math.max(root.scrollWidth, page.body.scrollWidth) - root.clientWidth, wide: words(out), cut: words([...page.querySelectorAll('td,th')].filter(cut))};
}
"""


def pages_of(site):
    """The pages by name, with the style in them: a frame of text loads no file."""
    style = f"<style>{(site / 'style.css').read_text()}</style>"
    found = {}
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        if name.startswith("api/"):
            continue  # Doxygen's own
        head, link, rest = path.read_text().partition('<link rel="stylesheet"')
        if not link:
            sys.exit(f"{name}: has no style sheet")
        found[name] = head + style + rest.partition(">")[2]
    return found


def faults_of(one):
    faults = []
    if one["scroll"] > 0:
        faults.append(f"{one['scroll']} px too wide: {one['wide']}")
    if one["cut"]:
        faults.append(f"broken words: {one['cut']}")
    if one["height"] < 200:
        faults.append("is empty")
    return [f"{one['page']}, {one['width']} px: {fault}" for fault in faults]


def main():
    site, browser = pathlib.Path(sys.argv[1]), sys.argv[2]
    pages = pages_of(site)
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "harness.html")
        path.write_text(browser_probe.harness(pages, PROBE))  # a browser takes longer to start than for a page
        found = browser_probe.measured(browser, path, [], directory)
    assert len(found) == len(pages) * len(browser_probe.WIDTHS)
    faults = [fault for one in found for fault in faults_of(one)]
    print(f"{len(found)} layouts of {len(pages)} pages")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
