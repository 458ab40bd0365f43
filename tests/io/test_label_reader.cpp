#include "gssl/core/machine.hpp"
#include "gssl/io/label_reader.hpp"
#include "io/array_files.hpp"
#include "io_support.hpp"
#include "label_format.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

VertexNames graph_names() {
  VertexNames names;
  for (const char* name : {"7", "8", "9"}) names.insert(name);
  return names;
}

LabelFile labels(std::string_view text, VertexNames& names,
                 UnknownLabels unknown = UnknownLabels::error) {
  return detail::parse_labels(detail::TextSource::from_memory(text, "labels.txt"), "", names,
                              {.unknown = unknown});
}

std::string label_error(std::string_view text) {
  VertexNames names = graph_names();
  const auto error = error_of([&] { labels(text, names); });
  return error ? error->what() : "";
}

}  // namespace

TEST_CASE("Labels are read in file order in each spelling") {
  for (const char* text :
       {"9 a\n7 b\n", "9;a\n7;b\n", "node label\n9 a\n7 b", "# c\n\nID,Label\n9,a\n7, b \n",
        "\xEF\xBB\xBF"
        "9\ta\r\n7\tb\r\n",
        "9 \"a\"\n7 b\n7 b\n"}) {
    VertexNames names = graph_names();
    INFO(text);
    const LabelFile file = labels(text, names);
    CHECK(file.vertices == std::vector<VertexId>{2, 0});
    CHECK(file.labels == std::vector<std::string>{"a", "b"});
  }
  VertexNames names = graph_names();
  CHECK(labels("7 a\n7 a\n", names).duplicates_merged == 1);
  CHECK(labels("", names).vertices.empty());
}

TEST_CASE("Two columns of a table are the vertex and its label") {
  const auto read = [](std::string_view text, std::pair<int, int> columns) {
    VertexNames names = graph_names();
    return detail::parse_labels(detail::TextSource::from_memory(text, "labels.txt"), "", names,
                                {.columns = columns});
  };
  const LabelFile pages =
      read("id,page_name,other,page_type\n9,\"Tea, green\",5,a\n7,,6,b\n8,x,7,\n", {1, 4});
  CHECK(pages.vertices == std::vector<VertexId>{2, 0});
  CHECK(pages.labels == std::vector<std::string>{"a", "b"});
  CHECK(pages.missing.total == 1);
  CHECK(read("a 9 x\nb 7 y\n", {2, 1}).labels == std::vector<std::string>{"a", "b"});
  // Fields at the ends of a line between tabs may be empty, and a blank in a header decides nothing.
  const LabelFile tabs = read("name\tnode\tclass\n\t9\ta\nx\t8\t\ny\t7\tb\r\n", {2, 3});
  CHECK(tabs.vertices == std::vector<VertexId>{2, 0});
  CHECK(tabs.missing.total == 1);
  CHECK(read("id;full name;class\n9;x y;a\n7;z;b\n", {1, 3}).labels ==
        std::vector<std::string>{"a", "b"});
  const auto message = [&](std::string_view text, std::pair<int, int> columns) {
    const auto error = error_of([&] { read(text, columns); });
    return error ? std::string(error->what()) : "";
  };
  CHECK_THAT(message("9 a\n", {1, 3}), Contains("labels.txt:1: 2 fields"));
  CHECK_THAT(message("9 a b\n7 c\n", {1, 2}), Contains("labels.txt:2: 2 fields"));
  CHECK_THAT(message("9 a b\n5 c d\n", {1, 3}), Contains("labels.txt:2: vertex 5 is not in"));
}

TEST_CASE("A word that is no vertex over a number that is one is a header") {
  for (const UnknownLabels unknown : {UnknownLabels::error, UnknownLabels::add}) {
    VertexNames names = graph_names();
    const LabelFile file = labels("txId,class\n9,a\n7,b\n", names, unknown);
    CHECK(file.labels == std::vector<std::string>{"a", "b"});
    REQUIRE(file.stats.notes.size() == 1);
    CHECK_THAT(file.stats.notes.front(),
               Contains("line 1 is taken for a header") && Contains("txId"));
  }
  // Over a word it may be one, or not.
  const auto advice = Contains("call the column of vertices node");
  CHECK_THAT(label_error("txId class\n"),
             Contains("labels.txt:1: vertex txId is not in") && advice);
  CHECK_THAT(label_error("txId a\n5 b\n"),
             Contains("labels.txt:1: vertex txId") && Contains("of 2 labels 2") && !advice);
  CHECK_THAT(label_error("5 a\n9 b\n"), Contains("labels.txt:1: vertex 5 is not in"));
  VertexNames names = graph_names();
  CHECK(labels("node class\n9 a\n", names).stats.notes.empty());
  CHECK(labels("x a\n5 b\n", names, UnknownLabels::add).labels ==
        std::vector<std::string>{"a", "b"});
  CHECK(names.find("x") == 3);
}

TEST_CASE("Comments that look like labels are told") {
  VertexNames names = graph_names();
  const LabelFile file = labels("7 x\n#8 y\n# 8 y\n", names);
  REQUIRE(file.stats.notes.size() == 1);
  CHECK_THAT(file.stats.notes[0], Contains("line 2, a comment, has as many fields"));
}

TEST_CASE("A first line whose id is a vertex is no header") {
  VertexNames names;
  names.insert("node");
  CHECK(labels("node label\n", names).labels == std::vector<std::string>{"label"});
}

TEST_CASE("Bad labels are refused with their line") {
  CHECK_THAT(label_error("# c\n8 x\n7 a\n\n7 b\n"),
             Contains("labels.txt:5: vertex 7 labelled b; line 3 says a; keep one"));
  CHECK_THAT(label_error("7 a\n5 b\n"), Contains("labels.txt:2: vertex 5 is not in the graph"));
  CHECK_THAT(label_error("7\n"), Contains("labels.txt:1: 1 field"));
  CHECK_THAT(label_error("7 a b\n"), Contains("labels.txt:1: 3 fields"));
  CHECK_THAT(label_error("7,a\n,b\n"), Contains("labels.txt:2: field 1 is empty"));
  CHECK_THAT(label_error("7 a\n8\n"), Contains("labels.txt:2: 1 field"));
  CHECK_THAT(label_error(std::string_view("7 a\n8 \0\n", 8)), Contains("labels.txt:2: binary"));
}

TEST_CASE("No label does not contradict a label") {
  for (const char* text : {"7,a\n8,b\n7,\n", "7,\n8,b\n7,a\n"}) {
    VertexNames names = graph_names();
    const LabelFile file = labels(text, names);
    CHECK(file.vertices == std::vector<VertexId>{0, 1});
    CHECK(file.labels == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("An empty field is no label") {
  for (const char* text :
       {"7,a\n8,\n9,b\n", "7\ta\n8\t\n9\tb\n", "7;a\n8; \n9;b\n", "7 a\n8 \"\"\n9 b\n"}) {
    INFO(text);
    VertexNames names = graph_names();
    const LabelFile file = labels(text, names);
    CHECK(file.vertices == std::vector<VertexId>{0, 2});
    CHECK(file.labels == std::vector<std::string>{"a", "b"});
    CHECK(file.missing.total == 1);
  }
}

TEST_CASE("Labels that do not fit into memory are refused, with what would do") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "name" + std::to_string(i) + " a\n";
  VertexNames names = graph_names();
  const auto read = [&](std::size_t limit) {
    return detail::parse_labels(detail::TextSource::from_memory(text, "labels.txt"), "", names,
                                {.unknown = UnknownLabels::add, .memory_limit = limit});
  };
  std::size_t needed = 0;
  try {
    read(400'000);
  } catch (const MemoryError& error) {
    CHECK_THAT(error.what(), Contains("reading labels.txt: needs"));
    needed = error.needed();
  }
  CHECK(needed > 20'000 * sizeof(std::string));
  CHECK(read(needed + needed / 20).labels.size() == 20'000);
  VertexNames few = graph_names();
  CHECK_THROWS_AS(read_labels("/dev/zero", few, {.memory_limit = 1'000'000}), MemoryError);
  CHECK_THROWS_AS(read_pairs("/dev/zero", few, 1'000'000), MemoryError);
}

TEST_CASE("Labels on unknown vertices are ignored or added when asked") {
  VertexNames names = graph_names();
  const LabelFile ignored = labels("7 a\n5 b\n", names, UnknownLabels::ignore);
  CHECK(ignored.unknown_ignored == 1);
  CHECK(ignored.vertices.size() == 1);
  CHECK(names.size() == 3);
  const LabelFile added = labels("7 a\n5 b\n5 b\n", names, UnknownLabels::add);
  CHECK(added.unknown_added == 1);
  CHECK(added.vertices == std::vector<VertexId>{0, 3});
  CHECK(names.name(3) == "5");
}

TEST_CASE("Real targets are finite numbers or refused with their line") {
  VertexNames names = graph_names();
  const LabeledSet targets = to_labeled_set(labels("9 1.5\n7 -2\n", names), true);
  CHECK(targets.target_of() == std::vector<double>{1.5, -2});
  for (const char* bad : {"x", "inf", "1e999", "1,5"}) {
    const LabelFile file = labels("# t\n9 1\n7\t" + std::string(bad) + "\n", names);
    const auto error = error_of([&] { to_labeled_set(file, true); });
    INFO(bad);
    REQUIRE(error);
    CHECK_THAT(error->what(), Contains("labels.txt:3: target " + std::string(bad)));
  }
}

TEST_CASE(
    "Pairs and shares may be arrays, and pairs the first columns of what gssl resistance wrote") {
  const TemporaryDirectory dir;
  const VertexNames names = graph_names();
  using Pairs = std::vector<VertexPair>;
  const auto pairs = [&](const std::string& file, const std::string& bytes) {
    return read_pairs(dir.file(file, bytes), names).pairs;
  };
  const Pairs expected{{0, 2}, {1, 0}, {2, 2}};
  const auto raw_pairs = raw<std::int64_t>({7, 9, 8, 7, 9, 9});
  CHECK(pairs("p.npy", npy("<i8", "(3, 2)", raw_pairs)) == expected);
  const auto by_columns = raw<std::int64_t>({7, 8, 9, 9, 7, 9});
  CHECK(pairs("f.npy", npy("<i8", "(3, 2)", by_columns, true)) == expected);
  CHECK(pairs("p.tsv", "u\tv\tresistance\n7\t9\t0.5\n8\t7\t1\n9\t9\t0\n") == expected);
  for (const auto& [file, bytes] :
       {std::pair<std::string, std::string>{"w.npy", npy("<i8", "(2, 3)", raw_pairs)},
        {"u.npy", npy("<i8", "(1, 2)", raw<std::int64_t>({7, 77}))},
        {"w.tsv", "7 9 0.5\n"}}) {
    const auto error = error_of([&, f = file, b = bytes] { pairs(f, b); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
  const auto priors = [&](const std::string& bytes) {
    return read_class_priors(dir.file("s.npy", bytes), {"a", "b"});
  };
  CHECK(priors(npy("<f8", "(2,)", raw<double>({1.0, 3.0}))) == std::vector<double>{0.25, 0.75});
  const auto error = error_of([&] { priors(npy("<f8", "(1,)", raw<double>({1.0}))); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("1 shares; expected one for each of the 2 classes"));
}

TEST_CASE("Class priors are scaled to one in the order of the classes") {
  const auto priors = [](std::string_view text) {
    return detail::parse_class_priors(detail::TextSource::from_memory(text, "p.txt"), {"a", "b"});
  };
  CHECK(priors("class share\nb 3\na 1\n") == std::vector<double>{0.25, 0.75});
  for (const auto& [text, message] : {std::pair{"a 1\n", "p.txt:1: no line for class b"},
                                      std::pair{"a 1\nc 1\n", "p.txt:2: class c"},
                                      std::pair{"a 1\na 2\nb 1\n", "p.txt:2: class a given again"},
                                      std::pair{"a 0\nb 1\n", "p.txt:1: share 0"},
                                      std::pair{"a nan\nb 1\n", "p.txt:1: share nan"}}) {
    const auto error = error_of([&, t = text] { priors(t); });
    REQUIRE(error);
    CHECK_THAT(error->what(), Contains(message));
  }
}
