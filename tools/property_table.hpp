#pragma once
// Rows "property value" of a table, and the same keys in the summary.
//
//   PropertyTable table(session, out);
//   table.row("vertices", n);

#include <string>
#include <string_view>

#include "gssl/io/table_writer.hpp"
#include "session.hpp"

namespace gssl::tool {

class PropertyTable {
 public:
  PropertyTable(Session& session, OutputFile& out)
      : session_(session), table_(out, session.options().table_format(), {"property", "value"}) {}

  void row(const std::string& property, std::int64_t value) {
    table_.text(property);
    table_.integer(value);
    table_.end_row();
    session_.summary.set(property, value);
  }
  void row(const std::string& property, double value) {
    table_.text(property);
    table_.number(value);
    table_.end_row();
    session_.summary.set(property, value);
  }
  void row(const std::string& property, std::string_view value) {
    table_.text(property);
    table_.text(value);
    table_.end_row();
    session_.summary.set(property, value);
  }

 private:
  Session& session_;
  TableWriter table_;
};

}  // namespace gssl::tool
