#include "gssl/io/vertex_list.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

VertexNames graph_names() {
  VertexNames names;
  for (const char* name : {"ann", "bob b", "7"}) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("A vertex list is read in file order in each spelling") {
  const TemporaryDirectory dir;
  for (const char* text : {"7\nann\n", "node\n7\nann", "# c\n\nVertex\r\n7\r\n \"ann\"\r\n",
                           "\xEF\xBB\xBF"
                           "7\nann\n7\n"}) {
    INFO(text);
    const VertexListFile list = read_vertex_list(dir.file("list", text), graph_names());
    CHECK(list.vertices == std::vector<VertexId>{2, 0});
    CHECK(list.stats.format == "vertices");
  }
  const VertexListFile list =
      read_vertex_list(dir.file("list", "\"bob b\"\n7\n7\n"), graph_names());
  CHECK(list.vertices == std::vector<VertexId>{1, 2});
  CHECK(list.duplicates_merged == 1);
  CHECK(read_vertex_list(dir.file("list", ""), graph_names()).vertices.empty());
}

TEST_CASE("A vertex list says what is wrong, with file and line") {
  const TemporaryDirectory dir;
  const auto message = [&](std::string_view text) {
    const auto error = error_of([&] { read_vertex_list(dir.file("list", text), graph_names()); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    return std::string(error->what());
  };
  CHECK(message("7\neve\n").find("list:2: vertex eve is not in the graph") != std::string::npos);
  CHECK(message("7\nnode\n").find("list:2:") != std::string::npos);
  CHECK(message("bob b\n").find("list:1:") != std::string::npos);
  CHECK(message("7\n\"ann\n").find("list:2:") != std::string::npos);
  CHECK(message(std::string("7\nan\0n\n", 7)).find("binary data") != std::string::npos);
  CHECK(error_of([&] { read_vertex_list("no-such-list", graph_names()); })->code() ==
        ErrorCode::cannot_open);
}
