#pragma once
// Tables as TSV, CSV or JSON lines, cell by cell; numbers as shortest round-trip decimals.
//
//   gssl::TableWriter table(out, gssl::TableFormat::tsv, {"node", "label", "confidence"});
//   table.text("alice"); table.text("fraud"); table.number(0.93); table.end_row();
//
// TSV cells that hold a tab, newline or quote, and CSV cells that hold a comma, newline or quote,
// are quoted with doubled quotes, which the readers of this library undo. JSON lines are always
// UTF-8: bytes of a name that are none become U+FFFD there, while TSV and CSV keep every byte.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
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

 private:
  void begin_cell();
  OutputFile* out_;
  TableFormat format_;
  std::vector<std::string> columns_;
  std::size_t next_ = 0;
  std::string line_;
};

}  // namespace gssl
