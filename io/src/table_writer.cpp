#include "gssl/io/table_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "quoting.hpp"
#include "utf8.hpp"

namespace gssl {
namespace {

constexpr std::size_t number_bytes = 32;  // the shortest text of any number has fewer

// JSON is UTF-8: a byte that is none becomes the replacement character. At most 6 bytes a byte and 2.
constexpr std::size_t json_bytes = 6, quotes = 2;
char* put_json_string(std::string_view text, char* out) {
  constexpr char digits[] = "0123456789abcdef";
  constexpr unsigned char first_printable = 0x20, first_of_several = 0x80;
  const auto put = [&](std::string_view part) { out = std::ranges::copy(part, out).out; };
  *out++ = '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= first_of_several) {
      const std::size_t length = detail::utf8_length(text.substr(at));
      put(length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length));
      at += length == 0 ? 0 : length - 1;
      continue;
    }
    switch (c) {
      case '"': put("\\\""); break;
      case '\\': put("\\\\"); break;
      case '\n': put("\\n"); break;
      case '\r': put("\\r"); break;
      case '\t': put("\\t"); break;
      default:
        if (byte < first_printable) {
          put("\\u00");
          *out++ = digits[byte >> 4];
          *out++ = digits[byte & 15];
        } else {
          *out++ = c;
        }
    }
  }
  *out++ = '"';
  return out;
}

std::string json_string(std::string_view text) {
  std::string out(json_bytes * text.size() + quotes, '\0');
  out.resize(static_cast<std::size_t>(put_json_string(text, out.data()) - out.data()));
  return out;
}

}  // namespace

namespace detail {

char* put_cell(std::string_view cell, char separator, char* out) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  bool quote = cell.empty() || cell.front() == '#' || cell.front() == '%' ||
               is_blank(cell.front()) || is_blank(cell.back());
  for (std::size_t i = 0; i < cell.size(); ++i) {  // most cells are short: no call to copy them
    const char c = cell[i];
    out[i] = c;
    quote |= c == separator || c == '"' || c == '\n' || c == '\r';
  }
  if (!quote) return out + cell.size();
  *out++ = '"';
  for (const char c : cell) {
    if (c == '"') *out++ = '"';
    *out++ = c;
  }
  *out++ = '"';
  return out;
}

void append_cell(std::string_view cell, char separator, std::string& out) {
  const std::size_t size = out.size();
  out.resize(size + 2 * cell.size() + quotes);
  out.resize(static_cast<std::size_t>(put_cell(cell, separator, out.data() + size) - out.data()));
}

}  // namespace detail

TableFormat parse_table_format(const std::string& name) {
  return names_of<TableFormat>.value(name);
}

TableWriter::TableWriter(OutputFile& out, TableFormat format, std::vector<std::string> columns)
    : out_(&out), format_(format), columns_(std::move(columns)) {
  if (format_ == TableFormat::jsonl) {
    std::vector<std::string> sorted;
    for (const std::string& column : columns_) sorted.push_back(json_string(column));
    for (const std::string& key : sorted)
      before_.push_back((before_.empty() ? "{" : ",") + key + ":");
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end())
      throw Error(ErrorCode::bad_data, "JSON lines: two keys " + *twice +
                                           " in each object; write tsv or csv, or rename the "
                                           "vertex or class");
    return;
  }
  before_.assign(columns_.size(), format_ == TableFormat::csv ? "," : "\t");
  if (!before_.empty()) before_.front().clear();
  for (const std::string& column : columns_) text(column);
  end_row();
}

char* TableWriter::room(std::size_t bytes) {
  if (bytes_.size() - used_ < bytes) bytes_.resize(std::max(2 * bytes_.size(), used_ + bytes));
  return bytes_.data() + used_;
}

void TableWriter::take_to(const char* end) {
  used_ = static_cast<std::size_t>(end - bytes_.data());
}

char* TableWriter::begin_cell(std::size_t most_bytes) {
  GSSL_ASSERT(next_ < columns_.size());
  const std::string& before = before_[next_++];
  return std::ranges::copy(before, room(before.size() + most_bytes)).out;
}

void TableWriter::text(std::string_view cell) {
  const bool json = format_ == TableFormat::jsonl;
  char* const at = begin_cell((json ? json_bytes : 2) * cell.size() + quotes);
  const char separator = format_ == TableFormat::csv ? ',' : '\t';
  take_to(json ? put_json_string(cell, at) : detail::put_cell(cell, separator, at));
}

void TableWriter::number(double cell) {
  if (std::isnan(cell))
    throw Error(ErrorCode::bad_data,
                "column " + columns_[next_ < columns_.size() ? next_ : 0] +
                    ": a value is not a number: what was computed on the way to it exceeds the "
                    "largest number; scale the weights towards 1");
  // JSON has no infinity.
  if (format_ == TableFormat::jsonl && std::isinf(cell)) return text(to_text(cell));
  char* const at = begin_cell(number_bytes);
  take_to(std::to_chars(at, at + number_bytes, cell).ptr);
}

void TableWriter::integer(std::int64_t cell) {
  char* const at = begin_cell(number_bytes);
  take_to(std::to_chars(at, at + number_bytes, cell).ptr);
}

void TableWriter::end_row() {
  GSSL_ASSERT(next_ == columns_.size());
  const std::string_view end = format_ == TableFormat::jsonl ? "}\n" : "\n";
  take_to(std::ranges::copy(end, room(end.size())).out);
  next_ = 0;
  if (out_ != nullptr) hand_to(*out_);
}

void TableWriter::hand_to(OutputFile& out) {
  out.write(std::string_view(bytes_).substr(0, used_));
  used_ = 0;
}

TableWriter TableWriter::part() const {
  TableWriter part(*this);
  part.out_ = nullptr;
  return part;
}

void TableWriter::take(TableWriter& part) {
  GSSL_ASSERT(next_ == 0 && part.next_ == 0);
  part.hand_to(*out_);
}

}  // namespace gssl
