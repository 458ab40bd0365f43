"""Shows pages to headless Chromium and asks it how they came out.

    faults = faults_of("chromium", {"name": "<!DOCTYPE html>…"}, directory)

Each page is laid out in frames of 1280 and 390 px, as it is, by a page of ours that measures the frames and
leaves its findings in the document that Chromium prints.
"""
import html
import json
import re
import subprocess
import sys

WIDTHS = (1280, 390)
# What the color scheme is switched by differs between versions; the page says what it sees.
SWITCHES = {"light": [["--blink-settings=preferredColorScheme=1"], []],
            "dark": [["--blink-settings=preferredColorScheme=0"], ["--force-dark-mode"]]}
LEAST_CONTRAST = 4.5  # of text, WCAG 2.1 AA
LEAST_TEXT = 8.0  # px that the letters of a figure are high at least

PROBE = """
function color(text) { return text.match(/[\\d.]+/g).slice(0, 3).map(Number); }
function light(rgb) {
  const [r, g, b] = rgb.map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}
function measure(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, root = page.documentElement;
  for (const details of page.querySelectorAll('details')) details.open = true;
  const wide = [...page.body.querySelectorAll('*')].filter(e => e.getClientRects().length &&
      !(e instanceof view.SVGElement) && e.getBoundingClientRect().right > view.innerWidth + 0.5);
  const style = view.getComputedStyle(page.body), surface = color(style.backgroundColor);
  const texts = [...page.querySelectorAll('h1,h2,h3,p,td,th,figcaption,summary,li')];
  const letters = [...page.querySelectorAll('svg text')].map(e => e.getBoundingClientRect().height);
  return {page: frame.name, width: view.innerWidth, scroll: Math.max(root.scrollWidth, page.body.scrollWidth),
    height: root.scrollHeight, wide: wide.slice(0, 3).map(e => e.tagName + ' ' + e.textContent.slice(0, 40)),
    dark: view.matchMedia('(prefers-color-scheme: dark)').matches, lightness: light(surface),
    contrast: Math.min(...texts.map(e => contrast(color(view.getComputedStyle(e).color), surface))),
    letters: letters.length ? Math.min(...letters) : null,
    loaded: view.performance.getEntriesByType('resource').length, images: page.images.length};
}
"""


# A frame is made once and set to each width: it takes longer to make than to lay out.
ALL_MEASURED = f"""
addEventListener('load', () => {{
  const found = [];
  for (const frame of document.querySelectorAll('iframe'))
    for (const width of {list(WIDTHS)}) {{
      frame.width = width;
      found.push(measure(frame));
    }}
  document.body.innerHTML = '';
  document.body.dataset.found = JSON.stringify(found);
}});
"""


def harness(pages, probe=PROBE):
    """A page that calls measure(frame) of the probe for each page at each of the widths."""
    frames = [f'<iframe name="{html.escape(name)}" height="900" style="border:0" '
              f'srcdoc="{html.escape(page)}"></iframe>' for name, page in pages.items()]
    # A frame prefers the scheme of the page around it.
    style = "<style>:root{color-scheme:light dark}</style>"
    script = f"<script>{probe}{ALL_MEASURED}</script>"
    return f'<!DOCTYPE html><meta charset="utf-8">{style}{script}<body>' + "".join(frames)


def measured(browser, path, switches, directory):
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", *switches,
               f"--user-data-dir={directory}/profile", "--virtual-time-budget=20000", "--window-size=1400,1000",
               "--dump-dom", path.as_uri()]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240)
    found = re.search(r'data-found="([^"]*)"', run.stdout)
    if not found:
        print(f"skipped: {browser} shows no page here:\n{run.stderr[-2000:]}")
        sys.exit(77)
    layouts = json.loads(html.unescape(found.group(1)))
    assert {one["width"] for one in layouts} == set(WIDTHS)
    return layouts


def in_scheme(browser, path, scheme, directory):
    for switches in SWITCHES[scheme]:
        found = measured(browser, path, switches, directory)
        if found[0]["dark"] == (scheme == "dark"):
            return found
    print(f"skipped: {browser} has no switch for the {scheme} scheme that is known here")
    sys.exit(77)


def faults_of_one(one, scheme):
    faults = []
    if one["scroll"] > one["width"]:
        faults.append(f"{one['scroll']} px wide: {one['wide']}")
    if one["wide"]:
        faults.append(f"sticks out: {one['wide']}")
    if (one["lightness"] < 0.5) != (scheme == "dark"):
        faults.append(f"surface of lightness {one['lightness']:.2f}")
    if one["contrast"] < LEAST_CONTRAST:
        faults.append(f"contrast of text {one['contrast']:.2f}")
    if one["letters"] is not None and one["letters"] < LEAST_TEXT:
        faults.append(f"letters {one['letters']:.1f} px high")
    if one["loaded"] or one["images"]:
        faults.append("loads something")
    if one["height"] < 300:
        faults.append("is empty")
    return [f"{one['page']}, {one['width']} px, {scheme}: {fault}" for fault in faults]


def faults_of(browser, pages, directory):
    path = directory / "harness.html"
    path.write_text(harness(pages))
    faults = []
    for scheme in SWITCHES:
        found = in_scheme(browser, path, scheme, directory)
        assert len(found) == len(pages) * len(WIDTHS)
        print(f"{scheme}: {len(found)} layouts")
        for one in found:
            faults += faults_of_one(one, scheme)
    return faults
