#include <filesystem>

#include "../fuzz/entry_points.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
namespace fs = std::filesystem;

TEST_CASE("The fuzz entry points take every seed and every mangled file") {
  int replayed = 0;
  for (const char* folder :
       {"tests/fuzz/corpus/graph", "tests/fuzz/corpus/binary_graph", "tests/fuzz/corpus/label",
        "tests/fuzz/corpus/points", "tests/fuzz/corpus/table", "tests/fuzz/corpus/npz",
        "tests/fuzz/corpus/stream", "tests/foreign", "tests/mangled"}) {
    for (const auto& entry : fs::directory_iterator(source_path(folder))) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = read_file(entry.path());
      INFO(entry.path());
      CHECK_NOTHROW(gssl::fuzz::graph_bytes(bytes));
      CHECK_NOTHROW(gssl::fuzz::binary_graph_bytes(bytes));
      CHECK_NOTHROW(gssl::fuzz::label_bytes(bytes));
      CHECK_NOTHROW(gssl::fuzz::points_bytes(bytes));
      CHECK_NOTHROW(gssl::fuzz::table_bytes(bytes));
      CHECK_NOTHROW(gssl::fuzz::npz_bytes(bytes));
      CHECK_NOTHROW(gssl::fuzz::stream_bytes(bytes));
      ++replayed;
    }
  }
  CHECK(replayed >= 90);
}
