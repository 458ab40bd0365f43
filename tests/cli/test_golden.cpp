// Output held to files in tests/golden, byte for byte. GSSL_UPDATE_GOLDEN=1 rewrites them; read the
// difference before committing it.

#include <cstdlib>
#include <filesystem>

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// What the names take depends on how the standard library grows its strings.
std::string without_name_bytes(const std::string& text) {
  const std::size_t row = text.find("name_bytes");
  return row == std::string::npos ? text : text.substr(0, row);  // it is the last row
}

}  // namespace

TEST_CASE("output is what the golden files say") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> runs = {
      {"help.txt", {"--help"}},
      {"help_label.txt", {"label", "--help"}},
      {"help_build.txt", {"build", "--help"}},
      {"help_resistance.txt", {"resistance", "--help"}},
      {"help_info.txt", {"info", "--help"}},
      {"help_convert.txt", {"convert", "--help"}},
      {"help_learners.txt", {"learners", "--help"}},
      {"help_completions.txt", {"completions", "--help"}},
      {"learners.tsv", {"learners"}},
      {"learners_harmonic.txt", {"learners", "harmonic"}},
      {"info_lesmis.tsv", {"info", "datasets/lesmis/lesmis.graph"}},
      {"label_small.csv",
       {"label", "tests/golden/input_edges.txt", "tests/golden/input_labels.txt", "--format",
        "csv"}},
      {"resistance_small.tsv",
       {"resistance", "tests/golden/input_edges.txt", "--from", "dan", "--commute"}},
      {"label_iris.tsv", {"label", "datasets/iris/edges.tsv", "datasets/iris/labels.tsv"}},
  };
  const bool update = std::getenv("GSSL_UPDATE_GOLDEN") != nullptr;
  for (const auto& [name, arguments] : runs) {
    INFO(name);
    const Result r = run_gssl(arguments);
    INFO(r.err);
    CHECK(r.status == 0);
    const auto path = source_path("tests/golden/" + name);
    if (update) write_file(path, without_name_bytes(r.out));
    REQUIRE(std::filesystem::exists(path));
    CHECK(without_name_bytes(r.out) == read_file(path));
  }
}
