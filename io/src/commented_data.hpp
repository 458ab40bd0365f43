#pragma once
// Comments that look like data: of a list whose ids begin with # or %, nobody meant to leave those
// lines out.
//
//   CommentedData commented;
//   commented.see(line, number, separator, fields);   // a comment behind the first line of data
//   commented.tell(file.stats.notes);

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fields.hpp"

namespace gssl::detail {

class CommentedData {
 public:
  // Where text follows the mark at once, and there are as many fields as data have.
  void see(std::string_view line, std::int64_t number, Separator separator, std::size_t fields) {
    constexpr std::string_view no_id = " \t#%!";
    if (line.size() < 2 || no_id.find(line[1]) != std::string_view::npos) return;
    if (fields < 2 || fields_between(line, separator) != fields) return;
    if (lines_++ == 0) first_ = number;
  }

  void tell(std::vector<std::string>& notes) const {
    if (lines_ == 0) return;
    const std::string first = "line " + std::to_string(first_);
    notes.push_back((lines_ == 1
                         ? first + ", a comment, has"
                         : std::to_string(lines_) + " comments, the first in " + first + ", have") +
                    " as many fields as data; quote an id that begins with # or %");
  }

 private:
  std::int64_t lines_ = 0;
  std::int64_t first_ = 0;
};

}  // namespace gssl::detail
