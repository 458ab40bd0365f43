#include "gssl/io/vertex_list.hpp"
#include "io/array_files.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

VertexNames listed_names() {
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
    const VertexListFile list = read_vertex_list(dir.file("list", text), listed_names());
    CHECK(list.vertices == std::vector<VertexId>{2, 0});
    CHECK(list.stats.format == "vertices");
  }
  const VertexListFile list =
      read_vertex_list(dir.file("list", "\"bob b\"\n7\n7\n"), listed_names());
  CHECK(list.vertices == std::vector<VertexId>{1, 2});
  CHECK(list.duplicates_merged == 1);
  CHECK(read_vertex_list(dir.file("list", ""), listed_names()).vertices.empty());
}

TEST_CASE("A vertex list may be an array of ids, or the first column of a table that gssl wrote") {
  const TemporaryDirectory dir;
  VertexNames names;
  for (const char* name : {"10", "20", "30", "a;b"}) names.insert(name);
  const auto read = [&](const std::string& file, const std::string& bytes) {
    return read_vertex_list(dir.file(file, bytes), names).vertices;
  };
  using Vertices = std::vector<VertexId>;
  CHECK(read("l.npy", npy("<i8", "(3,)", raw<std::int64_t>({30, 10, 30}))) == Vertices{2, 0});
  CHECK(read("l", idx(0x0C, {2}, raw<std::int32_t>({20, 30}, true))) == Vertices{1, 2});
  const std::string archive = zip({{"x.npy", npy("<i4", "(1,)", raw<std::int32_t>({10}))},
                                   {"ids.npy", npy("<i4", "(2,)", raw<std::int32_t>({20, 10}))}});
  const std::string path = dir.file("l.npz", archive);
  CHECK(read_vertex_list(path + ":ids", names).vertices == Vertices{1, 0});
  CHECK(read("t", "node\tlabel\tconfidence\tstatus\n20\tx\t0.5\ttied\n10\ty\t1\tgiven\n") ==
        Vertices{1, 0});
  CHECK(read("t.csv", "node,score\n30,1.5\n") == Vertices{2});
  CHECK(read("s", "a;b\n10\n") == Vertices{3, 0});
  const auto error = error_of([&] {
    read("w.npy", npy("<i8", "(1, 2)", raw<std::int64_t>({10, 20})));
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
}

TEST_CASE("A vertex list says what is wrong, with file and line") {
  const TemporaryDirectory dir;
  const auto message = [&](std::string_view text) {
    const auto error = error_of([&] { read_vertex_list(dir.file("list", text), listed_names()); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    return std::string(error->what());
  };
  CHECK(message("7\neve\n").find("list:2: vertex eve is not in the graph") != std::string::npos);
  CHECK(message("7\nnode\n").find("list:2:") != std::string::npos);
  CHECK(message("bob b\n").find("list:1:") != std::string::npos);
  CHECK(message("7\n\"ann\n").find("list:2:") != std::string::npos);
  CHECK(message(std::string("7\nan\0n\n", 7)).find("binary data") != std::string::npos);
  CHECK(error_of([&] { read_vertex_list("no-such-list", listed_names()); })->code() ==
        ErrorCode::cannot_open);
}
