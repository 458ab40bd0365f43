#pragma once
// Pieces that the parts of the report share: text that is safe in HTML, tables, markers.
//
//   html += "<p>" + html_text(name) + "</p>";
//   html += table({"method", "accuracy"}, rows);

#include <string>
#include <string_view>
#include <vector>

namespace gssl::tool {

// The five characters of markup escaped, control characters as U+FFFD.
std::string html_text(std::string_view text);

// Cells are HTML. On narrow screens each row becomes a block with the heads beside its cells.
std::string html_table(const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows);

// A figure with its title, the drawing, a caption and the numbers in a table that unfolds.
std::string figure(const std::string& title, const std::string& drawing, const std::string& caption,
                   const std::string& numbers = {});

// An SVG of this box; `label` is read out in place of the drawing.
std::string svg(int width, int height, const std::string& label, const std::string& content);
std::string svg_text(double x, double y, const char* anchor, const std::string& text,
                     const char* extra = "");
std::string svg_line(double x1, double y1, double x2, double y2, const char* kind);

// Marker `index` around (x, y): one of eight shapes and of eight colors, from the ninth on with one of
// five signs inside. The first 48 differ without color, and none is the cross of what has no answer.
std::string marker(int index, double x, double y, double size, const std::string& title = {});

// "94.13 %"; "–" for what is null.
std::string percent(double share, int digits = 2);

// Steps of 1, 2 or 5 times a power of ten that cut [low, high] into at most `most` pieces.
double tick_step(double low, double high, int most);

extern const char* const report_style;

}  // namespace gssl::tool
