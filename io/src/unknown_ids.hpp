#pragma once
// Ids in a file that no vertex has: all are counted, the first ten are named.
//
//   UnknownIds unknown;
//   unknown.add("77", 12);
//   if (unknown.count() > 0) unknown.refuse("labels.txt", 40, "labels", "; fix the id");

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gssl::detail {

class UnknownIds {
 public:
  // `line` from 1, or 0 where the file has none.
  void add(std::string_view id, std::int64_t line);

  std::int64_t count() const { return count_; }
  // The first ten, as messages show them.
  const std::vector<std::string>& first() const { return first_; }

  // Throws ErrorCode::bad_data "FILE:LINE: vertex ID is not in the graph (12 of 40 LABELS:
  // …)REMEDY" if there is one; `all` entries were read.
  void check(const std::string& file, std::int64_t all, const char* entries,
             const std::string& remedy) const;

 private:
  std::vector<std::string> first_;
  std::string first_id_;
  std::int64_t line_ = 0;  // of the first
  std::int64_t count_ = 0;
};

}  // namespace gssl::detail
