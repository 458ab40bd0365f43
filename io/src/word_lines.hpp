#pragma once
// Lines of words separated by blanks, "words in quotes" among them, with their numbers; blank lines
// and comments are left out.
//
//   WordLines lines(source, run, "%");
//   while (lines.next()) lines[0], lines.count(), lines.number()

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

class WordLines {
 public:
  // Lines that begin with one of `comments` are left out.
  WordLines(const TextSource& source, const RunContext& run, std::string_view comments)
      : source_(source), run_(run), comments_(comments), rest_(source.text()) {}

  bool next() {
    while (!rest_.empty()) {
      line_ = trimmed(take_line(rest_));
      ++number_;
      if ((number_ & 0xFFFF) == 0) look_around();
      if (line_.empty() || comments_.find(line_.front()) != std::string_view::npos) continue;
      if (line_.find('\0') != std::string_view::npos) fail("binary data; expected lines of text");
      count_ = words_.split(line_, source_.name(), number_);
      return true;
    }
    return false;
  }

  std::size_t count() const { return count_; }
  std::string_view operator[](std::size_t i) const { return words_[i]; }
  bool was_quoted(std::size_t i) const { return words_.was_quoted(i, line_); }
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }

  [[noreturn]] void fail(const std::string& message) const {
    bad_line(source_.name(), number_, message);
  }

  // Word i as an integer from `least` to `most`, else `what` it should be is said.
  std::int64_t integer(std::size_t i, const char* what, std::int64_t least,
                       std::int64_t most) const {
    const auto value = i < count_ ? parse_number<std::int64_t>(words_[i]) : std::nullopt;
    if (value && *value >= least && *value <= most) return *value;
    fail(std::string(what) + " '" + (i < count_ ? shown(words_[i]) : std::string()) +
         "'; expected an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }

  double weight(std::size_t i) const { return parse_weight(words_[i], source_.name(), number_); }

 private:
  void look_around() const {
    const auto left = static_cast<double>(rest_.size());
    check_progress(run_, 1.0 - left / static_cast<double>(source_.text().size()));
  }

  const TextSource& source_;
  const RunContext& run_;
  std::string_view comments_;
  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
  std::size_t count_ = 0;
  FieldSplitter words_{Separator::blanks, FieldSplitter::Empty::allowed};
};

}  // namespace gssl::detail
