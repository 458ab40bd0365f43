// Labels that are not lines "node label": arrays, and what gssl label writes.

#include "array_files.hpp"
#include "gssl/io/label_reader.hpp"
#include "io_support.hpp"
#include "label_format.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using namespace std::string_literals;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;
using Vertices = std::vector<VertexId>;

LabelFile read_bytes(std::string_view bytes, VertexNames& names,
                     const LabelReadOptions& options = {}, const std::string& member = {}) {
  return detail::parse_labels(detail::TextSource::from_memory(bytes, "l"), member, names, options);
}

std::string error_in(std::string_view bytes, VertexNames names,
                     const LabelReadOptions& options = {}) {
  const auto error = error_of([&] { read_bytes(bytes, names, options); });
  if (!error) return "";
  CHECK(error->code() == ErrorCode::bad_data);
  return error->what();
}

VertexNames named(const Words& all) {
  VertexNames names;
  for (const std::string& name : all) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("Value i of an array is the label of the vertex named i, in any format") {
  const std::string bytes = "\2\0\1"s;
  for (const std::string& file :
       {idx(8, {3}, bytes), npy("|u1", "(3,)", bytes), npy("|i1", "(3, 1)", bytes),
        npy("<i8", "(3,)", raw<std::int64_t>({2, 0, 1})),
        npy(">f4", "(3,)", raw<float>({2, 0, 1}, true)),
        zip({{"y.npy", npy("|u1", "(3,)", bytes)}}),
        zip({{"X.npy", npy("|u1", "(1,)", "a")}, {"y.npy", npy("|u1", "(3,)", bytes)}}),
        gzip(idx(8, {3}, bytes)), zstd(npy("|u1", "(3,)", bytes))}) {
    VertexNames names = named({"1", "2", "0"});
    const LabelFile found = read_bytes(file, names);
    CHECK(found.vertices == Vertices{2, 0, 1});
    CHECK(found.labels == Words{"2", "0", "1"});
    CHECK_FALSE(found.numbered_from_one);
  }
}

TEST_CASE("An array may hold text") {
  VertexNames names = VertexNames::numbered(3);
  const std::string wide = raw<std::uint32_t>({'a', 0, 0x20AC, 'b', 0, 0});
  const LabelFile found = read_bytes(npy("<U2", "(3,)", wide), names);
  CHECK(found.labels == Words{"a",
                              "\xE2\x82\xAC"
                              "b"});
  CHECK(found.missing.total == 1);
  CHECK(read_bytes(npy("|S2", "(3,)", "a\0bc?\0"s), names).labels == Words{"a", "bc"});
  CHECK(
      read_bytes(npy(">U1", "(3,)", raw<std::uint32_t>({'x', 'y', 0x1F600}, true)), names).labels ==
      Words{"x", "y", "\xF0\x9F\x98\x80"});
}

TEST_CASE("Vertices 1 to n take n values in their order") {
  VertexNames names = named({"3", "1", "2"});
  const LabelFile found = read_bytes(idx(8, {3}, "\5\6\7"s), names);
  CHECK(found.numbered_from_one);
  CHECK(found.vertices == Vertices{1, 2, 0});
  // Not so where the numbers do not match.
  CHECK_THAT(error_in(idx(8, {3}, "\5\6\7"s), named({"1", "2"})), Contains("vertex 0 is not"));
  CHECK_THAT(error_in(idx(8, {3}, "\5\6\7"s), named({"a", "b", "c"})),
             Contains("of 3 labels 3 are on no vertex of it: 0, 1, 2"));
}

TEST_CASE("Values of an array without a label name no vertex, and points take rows in order") {
  VertexNames names = named({"0", "2"});
  const LabelFile found = read_bytes(npy("|i1", "(5,)", "\3\xFF\4\xFF\xFF"s), names);
  CHECK(found.vertices == Vertices{0, 1});
  CHECK(found.labels == Words{"3", "4"});
  CHECK(found.missing.total == 3);
  CHECK(found.missing.minus_one_by_rule);

  VertexNames people = named({"ann", "bob"});
  const LabelFile rows = read_bytes(idx(8, {2}, "\1\2"s), people, {.point_rows = 2});
  CHECK(rows.vertices == Vertices{0, 1});
  CHECK_THAT(error_in(idx(8, {3}, "\1\2\3"s), people, {.point_rows = 2}),
             Contains("3 labels; expected one for each of the 2 points"));
}

TEST_CASE("Of what gssl label wrote, given and inferred rows are labels") {
  const Words forms = {
      "node\tlabel\tconfidence\tstatus\na\tx\t1\tgiven\nb\ty\t0.9\tinferred\n"
      "c\t?\t0\tunreached\nd\tx\t0.5\ttied\ne\tx\t0.1\tuncertain\nf\t?\t0\tunfinished\n",
      "node,label,confidence,status\r\na,x,1,given\r\nb,y,0.9,inferred\r\n"
      "c,?,0,unreached\r\nd,x,0.5,tied\r\ne,x,0.1,uncertain\r\nf,?,0,unfinished\r\n",
      R"({"node":"a","label":"x","confidence":1,"status":"given"}
{"node":"b","label":"y","confidence":0.9,"status":"inferred"}
{"node":"c","label":"?","confidence":0,"status":"unreached"}
{"node":"d","label":"x","confidence":0.5,"status":"tied"}
{"node":"e","label":"x","confidence":0.1,"status":"uncertain"}
{"node":"f","label":"?","confidence":0,"status":"unfinished"}
)"};
  for (const std::string& form : forms) {
    VertexNames names = named({"a", "b", "c", "d", "e", "f"});
    const LabelFile found = read_bytes(form, names);
    CHECK(found.vertices == Vertices{0, 1});
    CHECK(found.labels == Words{"x", "y"});
    CHECK(found.undecided == 4);
    CHECK(found.missing.total == 0);
    CHECK(found.stats.format == "gssl-label");
  }
  VertexNames names = named({"a"});
  CHECK(read_bytes(R"({"node":"a","label":-0.25,"confidence":1,"status":"inferred"})", names)
            .labels == Words{"-0.25"});
  CHECK_THAT(error_in("node\tlabel\tconfidence\tstatus\na\tx\t1\tmaybe\n", names),
             Contains("l:2: status 'maybe'"));
  CHECK_THAT(error_in("node\tlabel\tconfidence\tstatus\na\tx\n", names), Contains("l:2: 2 fields"));
  CHECK_THAT(error_in("{\"node\":\"a\"}\n", names), Contains("l:1: "));
}

TEST_CASE("Every unknown vertex is counted, and the first ten are named") {
  VertexNames names = VertexNames::numbered(3);
  std::string text = "0 a\n";
  for (int i = 10; i < 25; ++i) text += std::to_string(i) + " a\n";
  const std::string message = error_in(text, names);
  CHECK_THAT(message, Contains("l:2: vertex 10 is not in the graph"));
  CHECK_THAT(message, Contains("of 16 labels 15 are on no vertex"));
  CHECK_THAT(message, Contains("19 (line 11)"));
  CHECK_THAT(message, !Contains("20 (line 12)"));
  const LabelFile ignored = read_bytes(text, names, {.unknown = UnknownLabels::ignore});
  CHECK(ignored.unknown_ignored == 15);
  CHECK(ignored.unknown.size() == 10);
  CHECK(ignored.unknown.front() == "10 (line 2)");
}

TEST_CASE("Files of other kinds are named by the reader of labels") {
  const VertexNames names = VertexNames::numbered(3);
  CHECK_THAT(error_in("PAR1\x15\4"s, names), Contains("Parquet"));
  CHECK_THAT(error_in("<html><body>", names), Contains("web page"));
  CHECK_THAT(error_in(zip({{"xl/workbook.xml", "<x/>"}}), names), Contains("spreadsheet"));
  CHECK_THAT(error_in("\x89HDF\r\n\x1A\n"s, names), Contains("HDF5"));
  CHECK_THAT(error_in("\1\2\3 a\n", names), Contains("l:1: binary data"));
  CHECK_THAT(error_in(npy("|u1", "(3, 2)", "abcdef"), names), Contains("2 columns; expected one"));
  CHECK_THAT(error_in("{\"a\": 1}", names), Contains("JSON"));
  CHECK(error_in("[1] a\n", named({"[1]"})).empty());
}
