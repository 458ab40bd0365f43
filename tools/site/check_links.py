#!/usr/bin/env python3
"""Checks a folder of HTML pages: every link and picture leads to a file of the folder, every anchor to an id of its
page, every page but those of Doxygen is led to, nothing is loaded from elsewhere, and no page has
a script.

  check_links.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.scripts = set(), [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if "id" in named:
            self.ids.add(named["id"])
        if tag == "a" and named.get("name"):
            self.ids.add(named["name"])
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        if tag in ("img", "link", "iframe", "source"):
            self.loads.append(named.get("src") or named.get("href"))
        self.scripts += tag == "script"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in folder.rglob("*.html")}
    wrong, links, led_to = [], 0, {folder / "index.html"}
    for path, page in pages.items():
        place = path.relative_to(folder)
        if page.scripts:
            wrong.append(f"{place}: has a script")
        for load in page.loads:
            if urllib.parse.urlparse(load).scheme:
                wrong.append(f"{place}: loads {load} from elsewhere")
        for link in page.links + page.loads:
            parts = urllib.parse.urlparse(link)
            if parts.scheme:
                continue
            links += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target != path:
                led_to.add(target)
            if not target.is_file():
                wrong.append(f"{place}: {link}: no such page")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                wrong.append(f"{place}: {link}: no such anchor")
    wrong += [f"{path.relative_to(folder)}: no other page leads here" for path in pages
              if path not in led_to and path.relative_to(folder).parts[0] != "api"]
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    print(f"site: {len(pages)} pages, {links} links, {len(wrong)} wrong")
    sys.exit(1 if wrong or not pages else 0)


main()
