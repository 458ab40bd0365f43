#pragma once
// Tables as TSV, CSV or JSON lines, cell by cell; numbers as shortest round-trip decimals.
//
//   gssl::TableWriter table(out, gssl::TableFormat::tsv, {"node", "label", "confidence"});
//   table.text("alice"); table.text("fraud"); table.number(0.93); table.end_row();
//   table.rows(n, threads, [&](gssl::TableWriter& part, std::int64_t i) { … part.end_row(); });
//
// TSV cells that hold a tab, newline or quote, and CSV cells that hold a comma, newline or quote,
// are quoted with doubled quotes, which the readers of this library undo. JSON lines are always
// UTF-8: bytes of a name that are none become U+FFFD there, while TSV and CSV keep every byte.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl {

enum class TableFormat { tsv, csv, jsonl };
template <>
inline constexpr auto names_of<TableFormat> = enum_names<TableFormat>("table format",
                                                                      {"tsv", "csv", "jsonl"});
TableFormat parse_table_format(const std::string& name);  // throws ErrorCode::usage

class TableWriter {
 public:
  // Throws ErrorCode::bad_data if two columns of JSON lines have the same name.
  TableWriter(OutputFile& out, TableFormat format, std::vector<std::string> columns);
  void text(std::string_view cell);
  void number(double cell);  // "nan" is never written: precondition finite or ±inf
  void integer(std::int64_t cell);
  void end_row();  // asserts that every column was given

  // Calls row(part, i) for i = 0, …, count − 1: it gives the cells of that row and ends it. Rows are
  // made by several threads, some ten thousand cells at a time, and written in order.
  template <class Row>
  void rows(std::int64_t count, int threads, Row&& row) {
    constexpr std::int64_t cells_of_part = 1 << 16;
    const std::int64_t rows_of_part =
        std::clamp<std::int64_t>(cells_of_part / (std::ssize(columns_) + 1), 1, 8192);
    struct alignas(128) Part {  // whose ends no two threads write to in one line of the cache
      TableWriter table;
    };
    std::vector<Part> parts(static_cast<std::size_t>(std::max(1, threads)), Part{part()});
    const std::int64_t at_once = rows_of_part * std::ssize(parts);
    for (std::int64_t first = 0; first < count; first += at_once) {
      parallel_blocks(
          std::min(at_once, count - first), threads,
          [&](std::int64_t begin, std::int64_t end) {
            TableWriter& own = parts[static_cast<std::size_t>(begin / rows_of_part)].table;
            for (std::int64_t i = begin; i < end; ++i) row(own, first + i);
          },
          rows_of_part);
      for (Part& own : parts) take(own.table);
    }
  }

 private:
  TableWriter part() const;       // of the same columns; keeps its rows
  void take(TableWriter& part);   // writes its rows, and leaves none
  char* room(std::size_t bytes);  // where as many may be written
  void take_to(const char* end);  // what was written there ends at `end`
  char* begin_cell(std::size_t most_bytes);
  void hand_to(OutputFile& out);
  OutputFile* out_;  // of a part: null
  TableFormat format_;
  std::vector<std::string> columns_;
  std::vector<std::string> before_;  // what stands before the cell of each column
  std::size_t next_ = 0;
  std::string bytes_;  // the first used_ are the row so far; of a part, all its rows
  std::size_t used_ = 0;
};

}  // namespace gssl
