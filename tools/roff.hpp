#pragma once
// A page of the manual in roff with the man macros.
//
//   RoffPage page("gssl-label", 1, "Labels every vertex of a graph from a few given labels");
//   page.heading("SYNOPSIS");
//   page.command("gssl label [OPTIONS] [GRAPH] [LABELS]");
//   page.definition("--knn K", "join each point to its K nearest");
//   file.write(page.text());
//
// Text is escaped here: what stands in it is what a reader sees, and hyphens of options and
// commands can be copied. The date is that of SOURCE_DATE_EPOCH; without it there is none, so that
// the same program writes the same bytes.

#include <string>
#include <string_view>

#include "topic.hpp"

namespace gssl::tool {

class RoffPage {
 public:
  RoffPage(std::string_view name, int section, std::string_view brief);

  void heading(std::string_view text);  // as it stands; upper case by custom
  void subheading(std::string_view text);
  void paragraph(std::string_view text);
  void definition(std::string_view term, std::string_view text);
  void command(std::string_view text);  // bold, on a line of its own
  void verbatim(std::string_view lines);
  void blocks(const std::vector<TextBlock>& blocks);

  const std::string& text() const { return text_; }

 private:
  void begin_paragraph();

  std::string text_;
};

}  // namespace gssl::tool
