// The order of the rooms of libgraph/src: a file includes files of its own room and of rooms that
// come before it in the list, never of a later one.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/support.hpp"

namespace fs = std::filesystem;
using namespace gssl::test;

namespace {

const std::vector<std::string> rooms = {
    "core/memory",
    "core",
    "data/encoding",
    "data",
    "graph/support",
    "graph/knn/rows",
    "graph/knn",  // what a search is
    "graph/knn/tree",
    "graph/knn/panels",
    "graph/knn/search",
    "graph",
    "flow",
    "linalg",
    "factor",
    "solve/method",  // what a method is
    "solve/order",
    "solve/reduce",
    "solve/method/cg",
    "solve/method/cholesky",
    "solve/method/multigrid",
    "solve/method/network",
    "solve/method/relaxation",
    "solve/method/sampled",
    "solve/choose",
    "solve/accuracy",
    "solve",
    "solve/local",
    "spectrum",
};

std::ptrdiff_t place_of(const std::string& room) {
  return std::find(rooms.begin(), rooms.end(), room) - rooms.begin();
}

std::vector<std::string> quoted_includes(const fs::path& file) {
  std::vector<std::string> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#include \"") || line.starts_with("#include \"gssl/")) continue;
    const std::size_t begin = line.find('"') + 1;
    found.push_back(line.substr(begin, line.find('"', begin) - begin));
  }
  return found;
}

}  // namespace

TEST_CASE("no file of libgraph includes one of a later room") {
  const fs::path root = source_path("libgraph/src");
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".cpp" && file.extension() != ".hpp") continue;
    ++files;
    const std::string room = fs::relative(file.parent_path(), root).generic_string();
    CAPTURE(file.string(), room);
    REQUIRE(place_of(room) < std::ssize(rooms));
    for (const std::string& text : quoted_includes(file)) {
      CAPTURE(text);
      const bool beside = text.find('/') == std::string::npos;
      REQUIRE(fs::exists(beside ? file.parent_path() / text : root / text));
      if (!beside) CHECK(place_of(fs::path(text).parent_path().generic_string()) < place_of(room));
    }
  }
  CHECK(files > 100);
}

TEST_CASE("the top of libgraph/src/solve holds the entrance alone") {
  const fs::directory_iterator top(source_path("libgraph/src/solve"));
  CHECK(std::count_if(begin(top), end(top), [](const fs::directory_entry& entry) {
          return entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp";
        }) <= 12);
}
