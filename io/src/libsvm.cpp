// libsvm and svmlight rows: "label index:value index:value …", indices from 1 and ascending, # to
// the end of the line a comment.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "points_formats.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t row_chunk_bytes = std::size_t{1} << 22;

struct LibsvmRows {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::int64_t width = 0;  // columns in use

  std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest = trimmed(rest.substr(end));
  return word;
}

// "12:…"
bool is_pair(std::string_view word) {
  const std::size_t colon = word.find_first_not_of("0123456789");
  return colon != std::string_view::npos && colon > 0 && word[colon] == ':';
}

class Reader {
 public:
  Reader(const std::string& name, PointsFile& file) : name_(name), file_(file) {}

  void line(std::string_view rest, std::int64_t number) {
    rest = trimmed(rest.substr(0, rest.find('#')));
    if (rest.empty()) return;
    if (!is_pair(rest.substr(0, rest.find_first_of(" \t")))) {
      file_.labels.emplace_back(take_word(rest));
    }
    if (!file_.labels.empty() && std::int64_t(file_.labels.size()) != rows_.rows() + 1) {
      bad_line(name_, number,
               "rows with and without a label; expected 'label index:value …' on every line; add "
               "a label, ? where it is not known");
    }
    while (!rest.empty()) pair(take_word(rest), number);
    rows_.offsets.push_back(static_cast<std::int64_t>(rows_.values.size()));
  }

  LibsvmRows& rows() { return rows_; }

 private:
  void pair(std::string_view word, std::int64_t number) {
    std::int64_t index = 0;
    double value = 0.0;
    const char* const end = word.data() + word.size();
    const auto [colon, wrong] = std::from_chars(word.data(), end, index);
    if (wrong != std::errc{} || colon == end || *colon != ':') refuse(word, number);
    const char* const digits = colon + 1 + (end - colon > 2 && colon[1] == '+' && colon[2] != '-');
    const auto [stop, bad] = std::from_chars(digits, end, value);
    if (bad != std::errc{} || stop != end) refuse(word, number);
    if (!std::isfinite(value)) {
      bad_line(name_, number, shown(word) + "; expected a finite value; leave it out or fill it");
    }
    if (index < 1 || index > std::numeric_limits<std::int32_t>::max()) {
      bad_line(name_, number,
               shown(word) + "; expected an index from 1 to 2147483647; number columns from 1");
    }
    const bool first = std::int64_t(rows_.columns.size()) == rows_.offsets.back();
    if (!first && index <= rows_.columns.back() + 1) {
      bad_line(name_, number,
               shown(word) + " after index " + std::to_string(rows_.columns.back() + 1) +
                   "; expected ascending indices; sort the row");
    }
    rows_.columns.push_back(static_cast<std::int32_t>(index - 1));
    rows_.values.push_back(value);
    rows_.width = std::max(rows_.width, index);
  }

  [[noreturn]] void refuse(std::string_view word, std::int64_t number) {
    bad_line(name_, number,
             shown(word) + "; expected index:value, as 3:0.5; fix the field, or give the format",
             Remedy::input_format);
  }

  const std::string& name_;
  PointsFile& file_;
  LibsvmRows rows_;
};

std::vector<double> filled(const LibsvmRows& rows) {
  std::vector<double> dense(static_cast<std::size_t>(rows.rows() * rows.width), 0.0);
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    for (auto e = static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(r)]);
         e < static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(r) + 1]); ++e) {
      dense[static_cast<std::size_t>(r * rows.width + rows.columns[e])] = rows.values[e];
    }
  }
  return dense;
}

}  // namespace

std::optional<bool> looks_like_libsvm(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    line = trimmed(line.substr(0, line.find('#')));
    const std::size_t blank = line.find_last_of(" \t");
    if (is_pair(line.substr(blank + 1))) return true;  // npos + 1 is 0
    if (blank != std::string_view::npos) return false;
  }
  return std::nullopt;
}

void read_libsvm(const TextSource& source, const RunContext& run, PointsFile& file) {
  Reader reader(source.name(), file);
  TextPieces pieces(source);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    for (const Chunk& chunk : cut_at_lines(piece, row_chunk_bytes)) {
      check_progress(run, pieces.share_before(chunk.text.data()));
      for (std::string_view rest = chunk.text; !rest.empty();) {
        reader.line(take_line(rest), ++file.stats.lines);
      }
      source.release(chunk.text);
    }
  }
  LibsvmRows& rows = reader.rows();
  constexpr std::int64_t entry_bytes = sizeof(double) + sizeof(std::int32_t);
  const std::int64_t held = static_cast<std::int64_t>(rows.values.size()) * entry_bytes +
                            rows.rows() * static_cast<std::int64_t>(sizeof(std::int64_t));
  const std::int64_t count = rows.rows();
  if (count * rows.width <= held / static_cast<std::int64_t>(sizeof(double))) {
    file.points = Points::dense(count, rows.width, filled(rows));
  } else {
    file.points = Points::sparse(count, rows.width, std::move(rows.offsets),
                                 std::move(rows.columns), std::move(rows.values));
  }
}

}  // namespace gssl::detail
