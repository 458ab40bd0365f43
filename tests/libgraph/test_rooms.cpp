// The order of the rooms: a file includes files of its own room and of rooms that come before it in
// the list, never of a later one. The inner rooms of libgraph/src have an order of their own.

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

// Of public headers and of sources, of both libraries: folders of include/gssl and of src.
const std::vector<std::string> floors = {
    "core",     "data",     "graph",        "linalg", "factor", "flow",    "solve",  "spectrum",
    "learn",  // what a learner of any kind is, and the list of them
    "support",  "network",  "transductive", "answer", "kernel", "cluster", "online", "batch",
    "complete", "evaluate",
};

std::ptrdiff_t place_in(const std::vector<std::string>& order, const std::string& room) {
  return std::find(order.begin(), order.end(), room) - order.begin();
}

std::ptrdiff_t place_of(const std::string& room) { return place_in(rooms, room); }

std::vector<std::string> quoted_includes(const fs::path& file) {
  std::vector<std::string> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#include \"")) continue;
    const std::size_t begin = line.find('"') + 1;
    found.push_back(line.substr(begin, line.find('"', begin) - begin));
  }
  return found;
}

// The first folder of "gssl/solve/x.hpp" and of "solve/choose/x.hpp"; "" of a file beside.
std::string floor_of(const std::string& text) {
  const std::string inner = text.starts_with("gssl/") ? text.substr(5) : text;
  const std::size_t slash = inner.find('/');
  return slash == std::string::npos ? "" : inner.substr(0, slash);
}

}  // namespace

TEST_CASE("no header or source of the libraries includes one of a later room") {
  int files = 0;
  for (const char* folder :
       {"libgraph/include/gssl", "libgraph/src", "algorithms/include/gssl", "algorithms/src"}) {
    const fs::path root = source_path(folder);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".cpp" && file.extension() != ".hpp") continue;
      const std::string floor = floor_of(fs::relative(file, root).generic_string());
      if (floor.empty()) continue;  // builtin.cpp and version.cpp know all
      ++files;
      CAPTURE(file.string());
      REQUIRE(place_in(floors, floor) < std::ssize(floors));
      for (const std::string& text : quoted_includes(file)) {
        CAPTURE(text);
        if (!floor_of(text).empty())
          CHECK(place_in(floors, floor_of(text)) <= place_in(floors, floor));
      }
    }
  }
  CHECK(files > 500);
}

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
      if (text.starts_with("gssl/")) continue;
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
