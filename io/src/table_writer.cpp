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

// JSON is UTF-8: a byte that is none becomes the replacement character.
void append_json_string(std::string_view text, std::string& out) {
  constexpr char digits[] = "0123456789abcdef";
  constexpr unsigned char first_printable = 0x20, first_of_several = 0x80;
  out += '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= first_of_several) {
      const std::size_t length = detail::utf8_length(text.substr(at));
      out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length);
      at += length == 0 ? 0 : length - 1;
      continue;
    }
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (byte < first_printable) {
          out += "\\u00";
          out += digits[byte >> 4];
          out += digits[byte & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

}  // namespace

namespace detail {

void append_cell(std::string_view cell, char separator, std::string& out) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const auto ends_or_quotes = [separator](char c) {
    return c == separator || c == '"' || c == '\n' || c == '\r';
  };
  const bool quote = cell.empty() || cell.front() == '#' || cell.front() == '%' ||
                     is_blank(cell.front()) || is_blank(cell.back()) ||
                     std::ranges::any_of(cell, ends_or_quotes);
  if (!quote) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace detail

TableFormat parse_table_format(const std::string& name) {
  return names_of<TableFormat>.value(name);
}

TableWriter::TableWriter(OutputFile& out, TableFormat format, std::vector<std::string> columns)
    : out_(&out), format_(format), columns_(std::move(columns)) {
  if (format_ == TableFormat::jsonl) {
    std::vector<std::string> sorted;
    for (const std::string& column : columns_) append_json_string(column, sorted.emplace_back());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end())
      throw Error(ErrorCode::bad_data, "JSON lines: two keys " + *twice +
                                           " in each object; write tsv or csv, or rename the "
                                           "vertex or class");
    return;
  }
  for (const std::string& column : columns_) text(column);
  end_row();
}

void TableWriter::begin_cell() {
  GSSL_ASSERT(next_ < columns_.size());
  if (format_ == TableFormat::jsonl) {
    line_ += next_ == 0 ? '{' : ',';
    append_json_string(columns_[next_], line_);
    line_ += ':';
  } else if (next_ > 0) {
    line_ += format_ == TableFormat::csv ? ',' : '\t';
  }
  ++next_;
}

void TableWriter::text(std::string_view cell) {
  begin_cell();
  switch (format_) {
    case TableFormat::tsv: detail::append_cell(cell, '\t', line_); break;
    case TableFormat::csv: detail::append_cell(cell, ',', line_); break;
    case TableFormat::jsonl: append_json_string(cell, line_); break;
  }
}

void TableWriter::number(double cell) {
  if (std::isnan(cell))
    throw Error(ErrorCode::bad_data,
                "column " + columns_[next_ < columns_.size() ? next_ : 0] +
                    ": a value is not a number: what was computed on the way to it exceeds the "
                    "largest number; scale the weights towards 1");
  begin_cell();
  // JSON has no infinity.
  const bool as_text = format_ == TableFormat::jsonl && std::isinf(cell);
  if (as_text) line_ += '"';
  append_text(cell, line_);
  if (as_text) line_ += '"';
}

void TableWriter::integer(std::int64_t cell) {
  begin_cell();
  line_ += std::to_string(cell);
}

void TableWriter::end_row() {
  GSSL_ASSERT(next_ == columns_.size());
  line_ += format_ == TableFormat::jsonl ? "}\n" : "\n";
  next_ = 0;
  if (out_ == nullptr) return;
  out_->write(line_);
  line_.clear();
}

TableWriter TableWriter::part() const {
  TableWriter part(*this);
  part.out_ = nullptr;
  return part;
}

void TableWriter::take(TableWriter& part) {
  GSSL_ASSERT(next_ == 0 && part.next_ == 0);
  out_->write(part.line_);
  part.line_.clear();
}

}  // namespace gssl
