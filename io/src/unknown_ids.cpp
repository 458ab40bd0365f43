#include "unknown_ids.hpp"

#include "fields.hpp"
#include "gssl/core/error.hpp"

namespace gssl::detail {

void UnknownIds::add(std::string_view id, std::int64_t line) {
  constexpr std::size_t named = 10;
  if (count_ == 0) {
    line_ = line;
    first_id_ = shown(id);
  }
  ++count_;
  if (first_.size() == named) return;
  first_.push_back(shown(id) + (line > 0 ? " (line " + std::to_string(line) + ")" : ""));
}

void UnknownIds::check(const std::string& file, std::int64_t all, const char* entries,
                       const std::string& remedy) const {
  if (count_ == 0) return;
  std::string text = "vertex " + first_id_ + " is not in the graph";
  if (count_ > 1) {
    text += "; of " + std::to_string(all) + " " + entries + " " + std::to_string(count_) +
            " are on no vertex of it: ";
    for (std::size_t i = 0; i < first_.size(); ++i) text += (i > 0 ? ", " : "") + first_[i];
    if (static_cast<std::size_t>(count_) > first_.size()) text += ", …";
  }
  text += "; fix the id" + std::string(count_ > 1 ? "s" : "") + remedy;
  if (line_ > 0) bad_line(file, line_, text);
  throw Error(ErrorCode::bad_data, file + ": " + text);
}

}  // namespace gssl::detail
