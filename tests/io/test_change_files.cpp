// Files of changes and of scores.

#include "gssl/core/error.hpp"
#include "gssl/io/change_reader.hpp"
#include "gssl/io/score_reader.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using gssl::test::TemporaryDirectory;

namespace {

// a–b–c, a–c of weight 2.
struct Triangle {
  TemporaryDirectory dir = {};
  VertexNames names;
  Graph graph;

  Triangle() {
    for (const char* name : {"a", "b", "c"}) names.insert(std::string_view(name));
    const std::vector<EdgeChange> edges = {{0, 1, 1.0}, {1, 2, 1.0}, {0, 2, 2.0}};
    graph = with_changes(Graph(), 3, edges);
  }
  ChangeFile read(const std::string& text) {
    return read_changes(dir.file("changes", text), graph, names);
  }
};

void refused(const std::string& text, const std::string& words) {
  Triangle world;
  try {
    world.read(text);
    FAIL("read: " << text);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_data);
    INFO(error.what());
    CHECK(std::string(error.what()).find(words) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("changes are taken in their order", "[changes]") {
  Triangle world;
  const ChangeFile changes = world.read(
      "# today\n+ d\n+ d a\n+ d b 0.5\n- a b\n= c a 7\n- b c\n+ c b 3\nlabel d x\nunlabel a\n"
      "label a y\n");
  CHECK(changes.vertices_added == 1);
  CHECK(changes.edges_added == 3);
  CHECK(changes.edges_removed == 2);
  CHECK(changes.edges_reweighted == 1);
  const Graph after = with_changes(world.graph, world.names.size(), changes.edges);
  CHECK(after.vertex_count() == 4);
  CHECK(after.weight(0, 1) == 0.0);
  CHECK(after.weight(0, 2) == 7.0);
  CHECK(after.weight(1, 2) == 3.0);
  CHECK(after.weight(0, 3) == 1.0);
  CHECK(after.weight(1, 3) == 0.5);
  const LabeledSet labels =
      with_label_changes(LabeledSet::classes({0, 1}, {"x", "y"}), changes, world.names);
  CHECK(labels.vertices() == std::vector<VertexId>{0, 1, 3});
  CHECK(labels.class_of() == std::vector<int>{1, 1, 0});
  CHECK(world.read("+,d,c\n").edges_added == 1);
}

TEST_CASE("changes that do not fit the graph are refused with their line", "[changes]") {
  refused("+ a b\n", ":1: '+ a b': the edge is there already");
  refused("- a b\n- a b\n", ":2: '- a b': no such edge");
  refused("= a d 2\n", "no vertex 'd' in the graph; a new one needs a line '+ d' before");
  refused("+ a\n", "the vertex is there already");
  refused("+ d\n= a d 2\n", ":2: '= a d 2': no such edge");
  refused("- a a\n", "both ends are one vertex");
  refused("= a b -1\n", "-1");
  refused("= a b 0\n", "expected one above 0");
  refused("= a b nan\n", "nan");
  refused("a b\n", "expected '+ u v [w]'");
  refused("+ a b 1 2\n", "expected '+ u v [w]'");
  refused("label a\n", "expected '+ u v [w]'");
  refused("unlabel q\n", "no vertex 'q'");
  refused("- a q\n", "no vertex 'q'");
  refused("+ a,b\n+ a c\n", "separated by commas as the first line is");
  refused(std::string("+ a b\0\1\2\3\n", 10), "");
}

TEST_CASE("a vertex is offered only where a new one may stand", "[changes]") {
  for (const std::string line : {"- a q\n", "unlabel q\n", "+ a q\n", "label q x\n"}) {
    Triangle world;
    const auto error = test::error_of([&] { world.read(line); });
    REQUIRE(error);
    const bool offers = std::string(error->what()).find("a new one") != std::string::npos;
    CHECK(offers == (line[0] == '+' || line[0] == 'l'));
  }
}

TEST_CASE("labels that change must be there, and one must stay", "[changes]") {
  Triangle world;
  const LabeledSet labels = LabeledSet::classes({0}, {"x"});
  CHECK_THROWS_AS(with_label_changes(labels, world.read("unlabel b\n"), world.names), Error);
  const ChangeFile none = world.read("label b NA\n");
  CHECK_THROWS_WITH(with_label_changes(labels, none, world.names, MissingMarks()),
                    Catch::Contains("'b': NA says that there is none"));
  CHECK(with_label_changes(labels, none, world.names).class_count() == 2);
  CHECK_THROWS_AS(with_label_changes(labels, world.read("unlabel a\n"), world.names), Error);
  const LabeledSet real = LabeledSet::targets({0, 1}, {1.0, 2.0});
  CHECK_THROWS_AS(with_label_changes(real, world.read("label a red\n"), world.names), Error);
  const LabeledSet moved = with_label_changes(real, world.read("label a -3.5\n"), world.names);
  CHECK(moved.target_of() == std::vector<double>{-3.5, 2.0});
}

TEST_CASE("scores are read back by names of vertices and classes", "[scores]") {
  Triangle world;
  const auto path = world.dir.file("s", "node\tred\tblue\nc\t0.25\t0.75\nz\t1\t0\na\t1e-300\t1\n");
  const ScoreFile file = read_scores(path, world.names);
  CHECK(file.columns == std::vector<std::string>{"red", "blue"});
  CHECK(file.rows == 2);
  CHECK(file.unknown == 1);
  CHECK(file.scores(2, 1) == 0.75);
  CHECK(file.scores(0, 0) == 1e-300);
  CHECK(file.scores(1, 0) == 0.0);
  CHECK(read_scores(world.dir.file("csv", "node,value\na,-2.5\n"), world.names).scores(0, 0) ==
        -2.5);
}

TEST_CASE("scores are the same read by any number of threads, and so is what is wrong",
          "[scores]") {
  constexpr int count = 200000;
  const VertexNames names = VertexNames::numbered(count);
  std::string text = "node\tred\tblue\n";
  for (int v = count - 1; v >= 0; --v)
    text += std::to_string(v) + "\t" + std::to_string(0.5 / (v + 1)) + "\t1e-7\n";
  text += "x\t0\t1\n";
  TemporaryDirectory dir;
  const auto read = [&](const std::string& more, int threads) {
    return read_scores(dir.file("s", text + more), names, 0, threads);
  };
  const ScoreFile one = read("", 1);
  const ScoreFile many = read("", 4);
  CHECK(one.rows == count);
  CHECK(one.stats.lines == count + 2);
  CHECK(one.scores(7, 0) == 0.0625);
  CHECK(many.scores == one.scores);
  CHECK(many.rows == one.rows);
  CHECK(many.unknown == 1);
  CHECK(many.stats.lines == one.stats.lines);
  // Line 2 has vertex 199999, too; what is said is of the second in the file.
  for (const int threads : {1, 2, 4})
    CHECK_THROWS_WITH(read("199999\t0\t1\n0\tbad\t1\n", threads),
                      Catch::Contains(":200003: '199999' has a row before"));
}

TEST_CASE("tables that hold no scores of this graph are refused", "[scores]") {
  const auto bad = [](const std::string& text, const std::string& words) {
    Triangle world;
    try {
      read_scores(world.dir.file("s", text), world.names);
      FAIL("read: " << text);
    } catch (const Error& error) {
      INFO(error.what());
      CHECK(std::string(error.what()).find(words) != std::string::npos);
    }
  };
  bad("", "nothing in it");
  bad("a\t1\t0\n", "expected a header");
  bad("node\tx\na\t1\t2\n", ":2: 3 fields; expected 2");
  bad("node\tx\na\n", "1 fields");
  bad("node\tx\na\tinf\n", "expected a finite number");
  bad("node\tx\na\tred\n", "expected a finite number");
  bad("node\tx\na\t1\na\t1\n", "has a row before");
  bad("node\tx\nq\t1\nr\t1\na\t1\n", "is of another graph");
}
