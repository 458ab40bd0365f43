#include <algorithm>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/io/table_writer.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {
std::string table(TableFormat format, const std::string& cell, double value) {
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "t").string();
  OutputFile out(path);
  TableWriter writer(out, format, {"node", "value", "rank"});
  writer.text(cell);
  writer.number(value);
  writer.integer(-3);
  writer.end_row();
  out.commit();
  return read_file(path);
}
}  // namespace

TEST_CASE("Tables are written as TSV, CSV and JSON lines") {
  CHECK(table(TableFormat::tsv, "a,b", 0.1) == "node\tvalue\trank\na,b\t0.1\t-3\n");
  CHECK(table(TableFormat::csv, "a,b", 0.1) == "node,value,rank\n\"a,b\",0.1,-3\n");
  CHECK(table(TableFormat::jsonl, "a\"\\\n\x01", 0.1) ==
        "{\"node\":\"a\\\"\\\\\\n\\u0001\",\"value\":0.1,\"rank\":-3}\n");
}

TEST_CASE("Cells that would not be read back are quoted") {
  for (const auto& [cell, quoted] :
       {std::pair{"a\tb", "\"a\tb\""}, std::pair{"say \"x\"", "\"say \"\"x\"\"\""},
        std::pair{"", "\"\""}, std::pair{" a", "\" a\""}, std::pair{"#a", "\"#a\""},
        std::pair{"a b", "a b"}}) {
    CHECK(table(TableFormat::tsv, cell, 1) ==
          "node\tvalue\trank\n" + std::string(quoted) + "\t1\t-3\n");
  }
}

TEST_CASE("Infinity is a string in JSON lines and plain elsewhere") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(table(TableFormat::jsonl, "a", infinity) ==
        "{\"node\":\"a\",\"value\":\"inf\",\"rank\":-3}\n");
  CHECK(table(TableFormat::tsv, "a", infinity) == "node\tvalue\trank\na\tinf\t-3\n");
}

TEST_CASE("JSON lines are UTF-8 whatever the bytes of a name") {
  const std::string lost = "\xEF\xBF\xBD";
  for (const auto& [cell, written] : std::vector<std::pair<std::string, std::string>>{
           {"caf\xC3\xA9 \xE2\x89\xA5 \xF0\x9F\x98\x80",
            "caf\xC3\xA9 \xE2\x89\xA5 \xF0\x9F\x98\x80"},
           {"caf\xE9", "caf" + lost},
           {"\xC3", lost},
           {"\xE2\x89z", lost + lost + "z"},
           {"\xC0\xAF", lost + lost},
           {"\xED\xA0\x80", lost + lost + lost},
           {"\xF4\x90\x80\x80", lost + lost + lost + lost},
           {"\xF8", lost}}) {
    CHECK(table(TableFormat::jsonl, cell, 1) ==
          "{\"node\":\"" + written + "\",\"value\":1,\"rank\":-3}\n");
    CHECK(table(TableFormat::tsv, cell, 1) == "node\tvalue\trank\n" + cell + "\t1\t-3\n");
  }
  OutputFile out("/dev/null");
  const std::vector<std::string> columns = {"\xE9", "\xE8"};
  CHECK(error_of([&] { TableWriter(out, TableFormat::jsonl, columns); })->code() ==
        ErrorCode::bad_data);
}

TEST_CASE("Two columns of one name are refused where they are keys of one object") {
  OutputFile out("/dev/null");
  const std::vector<std::string> columns = {"node", "a", "node"};
  const auto error = error_of([&] { TableWriter(out, TableFormat::jsonl, columns); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK(std::string(error->what()).find("two keys") != std::string::npos);
  TableWriter(out, TableFormat::tsv, columns);
}

TEST_CASE("A row with a missing or an extra cell is a bug of the caller") {
  OutputFile out("/dev/null");
  TableWriter writer(out, TableFormat::tsv, {"a"});
  CHECK(error_of([&] { writer.end_row(); })->code() == ErrorCode::internal);
  writer.text("x");
  CHECK(error_of([&] { writer.text("y"); })->code() == ErrorCode::internal);
}

TEST_CASE("Rows made by several threads are written in order") {
  const TemporaryDirectory directory;
  const auto written = [&](TableFormat format, std::int64_t count, int threads) {
    const std::string path = (directory.path() / "t").string();
    OutputFile out(path);
    TableWriter table(out, format, {"i", "half"});
    table.rows(count, threads, [](TableWriter& part, std::int64_t i) {
      part.integer(i);
      part.number(0.5 * static_cast<double>(i));
      part.end_row();
    });
    table.text("last");
    table.number(0.0);
    table.end_row();
    out.commit();
    return read_file(path);
  };
  for (const std::int64_t count : {0, 1, 8192, 8193, 50000})
    for (const TableFormat format : {TableFormat::tsv, TableFormat::jsonl})
      CHECK(written(format, count, 1) == written(format, count, 3));
  const std::string all = written(TableFormat::tsv, 20000, 2);
  CHECK(all.starts_with("i\thalf\n0\t0\n1\t0.5\n"));
  CHECK(all.ends_with("19999\t9999.5\nlast\t0\n"));
  CHECK(std::ranges::count(all, '\n') == 20002);
  OutputFile out("/dev/null");
  TableWriter table(out, TableFormat::tsv, {"i"});
  CHECK(error_of([&] {
          table.rows(30000, 2, [](TableWriter& part, std::int64_t i) {
            if (i == 20000) throw Error(ErrorCode::cancelled, "stop");
            part.integer(i);
            part.end_row();
          });
        })->code() == ErrorCode::cancelled);
}
