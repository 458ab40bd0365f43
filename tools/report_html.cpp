#include "report_html.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gssl::tool {

// Colors were chosen so that any two differ, also without color vision, and each stands out from the
// surface; shapes and words say the same.
const char* const report_style = R"(:root{color-scheme:light dark;--surface:#fff;--text:#1b1f24;
--muted:#57606a;--grid:#d0d7de;--axis:#8c959f;--link:#0b5cad;--warning:#b35900;--c0:#0b5cad;--c1:#e86518;
--c2:#6a4039;--c3:#ae8a6d;--c4:#8e8eb6;--c5:#524569;--c6:#a51105;--c7:#3792fd}
@media (prefers-color-scheme:dark){:root{--surface:#15181c;--text:#e6e8eb;--muted:#9aa4af;--grid:#33393f;
--axis:#6e7781;--link:#7ab8f5;--warning:#f0b429;--c0:#7ab8f5;--c1:#eabb79;--c2:#6c6610;--c3:#117555;
--c4:#a9c719;--c5:#7e70ec;--c6:#9a4c95;--c7:#f183a7}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1120px;padding:16px;background:var(--surface);
color:var(--text);font:16px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
@media (min-width:700px){body{padding:24px}}h1{font-size:24px;margin:0 0 4px}h2{font-size:19px;margin:32px 0 8px}
h3{font-size:16px;margin:0 0 4px}p{margin:4px 0 12px}.small,figcaption,details{font-size:13px;color:var(--muted)}
.warning{border:1px solid var(--warning);border-left-width:4px;padding:8px 12px;margin:12px 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px;margin:16px 0}
.tiles div{border:1px solid var(--grid);padding:8px 12px}.tiles b{display:block;font-size:22px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:24px}
figure{margin:0}svg{display:block;width:100%;max-width:520px;height:auto}.wide svg{max-width:none}
svg text{fill:var(--text);font:12px system-ui,sans-serif}svg .dark{fill:#1b1f24}svg .white{fill:#fff}
.grid{stroke:var(--grid)}.axis{stroke:var(--axis)}.line{fill:none;stroke-width:2}
.edge{fill:none;stroke:var(--axis);stroke-opacity:.35}.cross{fill:none;stroke:var(--text);stroke-opacity:.7}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;padding:4px 8px;
border-bottom:1px solid var(--grid);vertical-align:top}th{color:var(--muted);font-weight:600}
ul.legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px}
ul.legend svg{display:inline-block;width:14px;height:14px;vertical-align:-2px;margin-right:4px}
@media (min-width:600px){.whole{white-space:nowrap}.words{overflow-wrap:normal}}
@media (max-width:599px){table,tbody,tr,td{display:block}thead{display:none}tr{border:1px solid var(--grid);
margin:8px 0;padding:4px}td{border:0;padding:2px 8px;display:grid;grid-template-columns:120px 1fr;gap:8px}
td::before{content:attr(data-h);color:var(--muted)}}
@media print{:root{color-scheme:light}})";

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
          safe += "\xEF\xBF\xBD";
        else
          safe += c;
    }
  }
  return safe;
}

// Bytes of a cell that stays on one line: "85.99 % ± 8.25".
constexpr std::size_t most_unbroken = 18;
// Of a head that breaks between words alone: "answered by the best, too".
constexpr std::size_t most_words = 30;

namespace {

// Bytes outside of tags.
std::size_t shown_bytes(std::string_view html) {
  std::size_t bytes = 0;
  bool in_tag = false;
  for (const char c : html) {
    if (c == '<') in_tag = true;
    if (!in_tag) ++bytes;
    if (c == '>') in_tag = false;
  }
  return bytes;
}

}  // namespace

std::string html_table(const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<table><thead><tr>";
  for (const std::string& head : heads)
    html += fmt::format("<th{} scope=\"col\">{}</th>",
                        head.size() <= most_words ? " class=\"words\"" : "", html_text(head));
  html += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      html += fmt::format("<td{} data-h=\"{}\">{}</td>",
                          shown_bytes(row[i]) <= most_unbroken ? " class=\"whole\"" : "",
                          html_text(heads[i]), row[i]);
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string figure(const std::string& title, const std::string& drawing, const std::string& caption,
                   const std::string& numbers) {
  std::string html = "<figure><h3>" + html_text(title) + "</h3>\n" + drawing + "<figcaption>" +
                     html_text(caption) + "</figcaption>\n";
  if (!numbers.empty()) html += "<details><summary>numbers</summary>" + numbers + "</details>\n";
  return html + "</figure>\n";
}

std::string svg(int width, int height, const std::string& label, const std::string& content) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     width, height, html_text(label), content);
}

std::string svg_text(double x, double y, const char* anchor, const std::string& text,
                     const char* extra) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, extra, html_text(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, const char* kind) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1,
      y1, x2, y2);
}

namespace {

constexpr int inner_signs = 6;  // none among them

// Strokes inside a mark, so that marks of one shape are told apart without their color.
std::string inner_sign(int sign, double x, double y, double reach, const std::string& color) {
  const auto stroke = [&](double dx, double dy) {
    return fmt::format("M{:.1f},{:.1f}L{:.1f},{:.1f}", x - dx, y - dy, x + dx, y + dy);
  };
  std::string path;
  switch (sign) {
    case 0: return {};
    case 1: path = stroke(reach, 0.0); break;
    case 2: path = stroke(0.0, reach); break;
    case 3: path = stroke(reach, 0.0) + stroke(0.0, reach); break;
    case 4: path = stroke(reach, reach); break;
    default: path = stroke(reach, -reach); break;
  }
  return fmt::format("<path d=\"{}\" style=\"fill:none;stroke:{};stroke-width:{:.1f}\"/>\n", path,
                     color, 0.6 * reach);
}

}  // namespace

std::string marker(int index, double x, double y, double size, const std::string& title) {
  const std::string color = fmt::format("var(--c{})", (index + index / 8) % 8);
  const bool is_open = index % 8 == 4 || index % 8 == 5;
  const std::string sign = inner_sign(index / 8 % inner_signs, x, y, 0.55 * size,
                                      is_open ? color : std::string("var(--surface)"));
  const std::string filled = fmt::format("style=\"fill:{}\"", color);
  const std::string open =
      fmt::format("style=\"fill:var(--surface);stroke:{};stroke-width:2\"", color);
  const std::string inside = title.empty() ? "" : "<title>" + html_text(title) + "</title>";
  const auto polygon = [&](const std::string& points) {
    return fmt::format("<polygon points=\"{}\" {}>{}</polygon>\n", points, filled, inside) + sign;
  };
  const auto circle = [&](const std::string& style) {
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}>{}</circle>\n", x, y,
                       size, style, inside) +
           sign;
  };
  const auto rectangle = [&](double across, double down, const std::string& style) {
    return fmt::format(
               "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}>{}</rect>\n",
               x - across, y - down, 2 * across, 2 * down, style, inside) +
           sign;
  };
  switch (index % 8) {
    case 0: return circle(filled);
    case 1: return rectangle(size, size, filled);
    case 2:
      return polygon(fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x, y - 1.2 * size,
                                 x + 1.1 * size, y + size, x - 1.1 * size, y + size));
    case 3:
      return polygon(fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x,
                                 y - 1.3 * size, x + 1.3 * size, y, x, y + 1.3 * size,
                                 x - 1.3 * size, y));
    case 4: return circle(open);
    case 5: return rectangle(size, size, open);
    case 6: return rectangle(1.5 * size, 0.7 * size, filled);
    default:
      return polygon(fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x, y + 1.2 * size,
                                 x + 1.1 * size, y - size, x - 1.1 * size, y - size));
  }
}

std::string percent(double share, int digits) {
  return std::isfinite(share) ? fmt::format("{:.{}f} %", 100.0 * share, digits) : "–";
}

double tick_step(double low, double high, int most) {
  const double rough = (high - low) / most;
  if (!(rough > 0.0)) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1.0 - 1e-9)) return factor * power;
  return 10.0 * power;
}

}  // namespace gssl::tool
