#include "gssl/core/number_text.hpp"
#include "gssl/io/points_reader.hpp"
#include "io_support.hpp"
#include "points_formats.hpp"
#include "sniff_table.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;
using detail::TableUse;

namespace {

// "; ," for a semicolon and a decimal comma, or the message of the error.
std::string sniffed(const std::string& text, TableUse use, const TableOptions& given = {}) {
  try {
    const auto syntax = detail::sniff_table(text, 1, "t.csv", use, given);
    return {static_cast<char>(syntax.separator), ' ', syntax.decimal};
  } catch (const Error& error) {
    return error.what();
  }
}

std::string sniffed_points(const std::string& text, const PointsReadOptions& options = {}) {
  RunContext run;
  run.threads = 1;
  try {
    const PointsFile file =
        detail::parse_points(detail::TextSource::from_memory(text, "p.csv"), "", options, run);
    std::string out;
    for (VertexId i = 0; i < file.points.rows(); ++i) {
      for (std::int64_t j = 0; j < file.points.columns(); ++j)
        out += (j > 0 ? " " : "") + to_text(file.points.value(i, j));
      out += '\n';
    }
    return out;
  } catch (const Error& error) {
    return error.what();
  }
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

}  // namespace

TEST_CASE("Separator and decimal mark of an edge list are told by its lines together") {
  struct Case {
    const char* text;
    const char* syntax;
  };
  const Case cases[] = {
      {"a;b;1,5\nb;c;2,5\n", "; ,"},
      {"a;b;1,5\nb;c;2\n", "; ,"},
      // What gssl writes: ids with blanks, commas and semicolons between tabs.
      {"u\tv\tweight\na\tc d\t1\ne, f\tg\t2\n", "\t ."},
      {"c;d\te f\ne f\tg\n", "\t ."},
      {"a;b;1\nb;c;2,5\n", "; ,"},
      {"a;b;1.5\n", "; ."},
      {"a;b\nb;c\n", "; ."},
      {"source;target;weight\na;b;0,125\n", "; ,"},
      {"a\tb\t1,5\n", "\t ,"},
      {"a\tb\t1,5e3\nc\td\t2\n", "\t ,"},
      {"u v w\na b 1,5\n", "  ,"},   // the header has no comma
      {"a b 1\nb c 1,25\n", "  ,"},  // nor has the first line
      {"1,2\n 2 , 3 \n", ", ."},
      {"1, 2, 0.5\n", ", ."},
      {"1,\t2\n", ", ."},
      {"New York,Boston\n", ", ."},
      {"New York;New Jersey\n", "; ."},
      {"x;y,z\na,b\n", ", ."},
      {"Smith, John\tDoe, Jane\n", "\t ."},
      {"Smith, J;Doe, A;3\n", "; ."},
      {"a b\tc d\n", "\t ."},
      {"1 \t 2\n", "\t ."},
      {"1\t2 3\n1 2 3\n", "  ."},
      {"a,b,\"1,5\"\n", ", ,"},
      {"\"a,b\";c;2\n", "; ."},
      {"a b,c\n", ", ."},
      {"\"Ann B\";\"C\";1,5\n", "; ,"},
      {"1,\"2\n3,4\n", ", ."},  // for the reader to refuse
      {"a b,\"c\nd e,f\n", ", ."},
      {"1\n", "  ."},
      {"", "  ."},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(sniffed(c.text, TableUse::edges) == c.syntax);
  }
}

TEST_CASE("What can be read in two ways is an error at the first line that shows it") {
  CHECK_THAT(sniffed("# c\na b 1,5\nb c 2,5\n", TableUse::edges),
             Contains("t.csv:2: ") && Contains("tell which"));
  CHECK_THAT(sniffed("x;1 y;2\n", TableUse::edges), Contains("t.csv:1: "));
  CHECK_THAT(sniffed("x;y,z\na;b,c\n", TableUse::edges), Contains("t.csv:1: "));
  CHECK_THAT(sniffed("a;b;1\na;c;1.5\na;d;2,5\n", TableUse::edges),
             Contains("t.csv:3: ") && Contains("expected one mark"));
  CHECK_THAT(sniffed("a;b;7\na;b;1,234\n", TableUse::edges),
             Contains("t.csv:2: ") && Contains("the mark is a comma"));
  CHECK(sniffed("a;b;7\na;b;1,234\nb;c;0,125\n", TableUse::edges) == "; ,");
  CHECK_THAT(sniffed("1,5 a\n2,5 b\n", TableUse::points), Contains("t.csv:1: "));
}

TEST_CASE("What is told is not inferred") {
  const std::string text = "a b 1,5\n";
  CHECK(sniffed(text, TableUse::edges, {.decimal = ','}) == "  ,");
  CHECK(sniffed(text, TableUse::edges, {.delimiter = ','}) == ", .");
  CHECK(sniffed(text, TableUse::edges, {.delimiter = ' '}) == "  ,");
  CHECK(sniffed("a;b;1,234\n", TableUse::edges, {.decimal = ','}) == "; ,");
  CHECK(sniffed("a|b|1,5\n", TableUse::edges, {.delimiter = '|'}) == "| ,");
  CHECK(sniffed("1,5\n2,5\n", TableUse::points, {.decimal = ','}) == "  ,");
  CHECK(described(read_text("a|b;c|1.5\n", {.table = {.delimiter = '|'}})) == "a b;c\na b;c 1.5\n");
  CHECK_THAT(sniffed(text, TableUse::edges, {.delimiter = 'x'}), Contains("delimiter x"));
  CHECK_THAT(sniffed(text, TableUse::edges, {.columns = {1, 1}}), Contains("columns: column 1"));
}

TEST_CASE("Edges with semicolons and decimal commas have the weights that were meant") {
  const std::string expected = "a b c\na b 1.5\nb c 2.5\n";
  for (const char* text : {"a;b;1,5\nb;c;2,5\n", "a\tb\t1,5\nb\tc\t2,5\n",
                           "source;target;weight\na;b;1,5\nb;c;2,5\n", "a;b;1.5\r\nb;c;2.5\r\n"}) {
    INFO(text);
    CHECK(described(read_text(text)) == expected);
  }
  // A mark that comes after the lines that were looked at is refused, not misread.
  CHECK_THAT(message_of(repeated("a;b;1\n", 150) + "a;c;2,5\n"),
             Contains("edges.txt:151: weight 2,5") && Contains("tell the mark"));
  CHECK_THAT(message_of(repeated("a;b;1,5\n", 150) + "a;c;2.5\n"),
             Contains("edges.txt:151: weight 2.5") && Contains("tell the mark"));
}

TEST_CASE("Columns and lines to leave out are told, and the error names a fourth column") {
  const std::string text = "made by x\n\nid,when,from,to,w\n1,now,a,b,2\n2,,b,c,3\n";
  const ReadOptions options{.table = {.skip_lines = 2, .columns = {3, 4, 5}}};
  CHECK(described(read_text(text, options)) == "a b c\na b 2\nb c 3\n");
  CHECK(read_text(text, options).stats.lines == 5);
  CHECK(described(read_text(text, {.table = {.skip_lines = 3, .columns = {4, 3}}})) ==
        "b a c\nb a 1\nb c 1\n");
  CHECK_THAT(message_of("1 2 0.5 77\n"), Contains("edges.txt:1: 4 fields") &&
                                             Contains("column 4 is '77'") &&
                                             Contains("tell the columns"));
  CHECK_THAT(message_of("a,b,1,5\nb,c,2,5\n"), Contains("edges.txt:1: ") && Contains("'1,5'"));
  CHECK_THAT(message_of("1 2 3\n", {.table = {.columns = {2, 3, 4}}}),
             Contains("edges.txt:1: 3 fields") && Contains("the columns told"));
  CHECK_THAT(message_of("1,2,3\n4,,5\n", {.table = {.columns = {1, 2}}}),
             Contains("edges.txt:2: column 2 is empty"));
  const auto error = error_of([] { read_text("1 2\n", {.table = {.columns = {1}}}); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
  const auto other = error_of([] {
    read_text("%%MatrixMarket matrix coordinate pattern symmetric\n0 0 0\n",
              {.table = {.delimiter = ';'}});
  });
  REQUIRE(other);
  CHECK(other->code() == ErrorCode::usage);
  CHECK(other->remedies().has(Remedy::delimiter));
  CHECK_FALSE(other->remedies().has(Remedy::columns));
}

TEST_CASE("A repeated edge after skipped lines is named by its line") {
  CHECK_THAT(message_of("x\na b\nb c\na b\n",
                        {.duplicates = DuplicatePolicy::error, .table = {.skip_lines = 1}}),
             Contains("edges.txt:4: edge a b") && Contains("line 2 has it"));
}

TEST_CASE("Tables of points with decimal commas are right or refused") {
  CHECK(sniffed_points("5,1;3,5\n4,9;3\n") == "5.1 3.5\n4.9 3\n");
  CHECK(sniffed_points("x;y\n5,1;3,5\n") == "5.1 3.5\n");
  CHECK(sniffed_points("5,1\t3,5\n4,9\t3\n") == "5.1 3.5\n4.9 3\n");
  CHECK(sniffed_points("5,1 3,5\n4,9 3\n") == "5.1 3.5\n4.9 3\n");
  CHECK(sniffed_points("5;1\n4;3\n") == "5 1\n4 3\n");
  CHECK(sniffed_points("\"5,1\",\"3,5\"\n") == "5.1 3.5\n");
  CHECK(sniffed_points("5,1\n4,3\n") == "5 1\n4 3\n");
  CHECK(sniffed_points("5,1\n4,3\n", {.table = {.decimal = ','}}) == "5.1\n4.3\n");
  CHECK_THAT(sniffed_points("5,10,3,05\n4,90,3,25\n"),
             Contains("p.csv:1: ") && Contains("decimal"));
  CHECK(sniffed_points("5,10,3,05\n4,90,3,25\n", {.table = {.delimiter = ','}}) ==
        "5 10 3 5\n4 90 3 25\n");
  std::string tenths;  // numbers from 4.0 to 7.9, and digits that are numbers of their own
  std::string digits;
  for (int i = 0; i < 80; ++i) {
    tenths += std::to_string(4 + i % 4) + "," + std::to_string(i * 7 % 10) + "," +
              std::to_string(1 + i % 3) + "," + std::to_string(i * 3 % 10) + "\n";
    digits += std::to_string(i * 7 % 10) + "," + std::to_string(i * 3 % 10) + "\n";
  }
  CHECK_THAT(sniffed_points(tenths), Contains("p.csv:1: ") && Contains("decimal"));
  CHECK(sniffed_points(digits).starts_with("0 0\n7 3\n"));
  CHECK_THAT(sniffed_points("1;2.5\n1;2,5\n"), Contains("p.csv:2: ") && Contains("mark"));
}

TEST_CASE("Columns of points are chosen, and the others need not be numbers") {
  const std::string text = "name,x,y,kind\na,1,2,p\nb,3,4,q\n";
  const PointsReadOptions xy{.table = {.columns = {2, 3}}};
  CHECK(sniffed_points(text, xy) == "1 2\n3 4\n");
  CHECK(sniffed_points(text, {.label_column = "kind", .table = {.columns = {3}}}) == "2\n4\n");
  CHECK_THAT(sniffed_points(text, {.table = {.columns = {5}}}), Contains("p.csv:1: 4 columns"));
  CHECK(sniffed_points("junk\n\n1 2\n", {.table = {.skip_lines = 2}}) == "1 2\n");
}

TEST_CASE("Options of tables are parsed, and others list what exists") {
  CHECK(parse_delimiter("tab") == '\t');
  CHECK(parse_delimiter(";") == ';');
  CHECK(parse_delimiter("blank") == ' ');
  CHECK(parse_decimal_mark("comma") == ',');
  CHECK(parse_columns("2,3,4") == std::vector<int>{2, 3, 4});
  CHECK(parse_columns("1-3,7") == std::vector<int>{1, 2, 3, 7});
  for (const char* wrong : {"", "0", "1,", "3-1", "x", "1--2", "99999999"}) {
    INFO(wrong);
    CHECK(error_of([&] { parse_columns(wrong); }).has_value());
  }
  for (const char* wrong : {"", "ab", "1", "\"", "."}) {
    INFO(wrong);
    CHECK(error_of([&] { parse_delimiter(wrong); }).has_value());
  }
  CHECK(error_of([] { parse_decimal_mark(";"); }).has_value());
}
