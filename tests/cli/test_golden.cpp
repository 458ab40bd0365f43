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
      {"help_help.txt", {"help", "--help"}},
      {"help_label.txt", {"label", "--help"}},
      {"help_ask.txt", {"ask", "--help"}},
      {"help_bound.txt", {"bound", "--help"}},
      {"help_evaluate.txt", {"evaluate", "--help"}},
      {"help_report.txt", {"report", "--help"}},
      {"help_build.txt", {"build", "--help"}},
      {"help_cut.txt", {"cut", "--help"}},
      {"help_explain.txt", {"explain", "--help"}},
      {"help_resistance.txt", {"resistance", "--help"}},
      {"help_kernel.txt", {"kernel", "--help"}},
      {"help_info.txt", {"info", "--help"}},
      {"help_convert.txt", {"convert", "--help"}},
      {"help_spectrum.txt", {"spectrum", "--help"}},
      {"help_online.txt", {"online", "--help"}},
      {"help_cluster.txt", {"cluster", "--help"}},
      {"help_learners.txt", {"learners", "--help"}},
      {"help_completions.txt", {"completions", "--help"}},
      {"learners.tsv", {"learners"}},
      {"learners_harmonic.txt", {"learners", "harmonic"}},
      {"cut_lesmis.tsv", {"cut", "datasets/lesmis/lesmis.graph", "--source", "12", "--sink", "59"}},
      {"info_lesmis.tsv", {"info", "datasets/lesmis/lesmis.graph"}},
      {"ask_small.tsv",
       {"ask", "tests/golden/input_edges.txt", "tests/golden/input_labels.txt", "-n", "4"}},
      {"explain_small.csv",
       {"explain", "tests/golden/input_edges.txt", "tests/golden/input_labels.txt", "--node", "eve",
        "--node", "ian", "--format", "csv"}},
      {"explain_suspects.tsv",
       {"explain", "tests/golden/input_edges.txt", "tests/golden/input_suspects.txt",
        "--suspects"}},
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
