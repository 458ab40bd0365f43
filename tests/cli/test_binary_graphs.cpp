// Binary graphs at the command line: converted, looked at, labelled, refused.

#include <filesystem>

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::string edges = source_path("datasets/digits/edges.tsv").string();
const std::string labels = source_path("datasets/digits/labels.tsv").string();

std::string converted(const TemporaryDirectory& directory, const std::string& in,
                      const std::vector<std::string>& options = {}) {
  std::string path = (directory.path() / "g.gssl").string();
  std::vector<std::string> arguments = {"convert", in, path, "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Result r = run_gssl(arguments);
  INFO(r.err);
  REQUIRE(r.status == 0);
  return path;
}

}  // namespace

TEST_CASE("a verb gives the same bytes on a binary graph as on its text", "[gssl]") {
  const TemporaryDirectory directory;
  const std::vector<std::string> options =
      GENERATE(std::vector<std::string>{}, std::vector<std::string>{"--compress"});
  const std::string binary = converted(directory, edges, options);
  CHECK(run_gssl({"label", binary, labels, "--quiet"}).out ==
        run_gssl({"label", edges, labels, "--quiet"}).out);
  CHECK(run_gssl({"convert", binary, "-", "--quiet"}).out ==
        run_gssl({"convert", edges, "-", "--quiet"}).out);
  CHECK(run_gssl({"spectrum", binary, "-k", "3", "--quiet"}).out ==
        run_gssl({"spectrum", edges, "-k", "3", "--quiet"}).out);
}

TEST_CASE("label propagation over compressed rows decides as over plain ones", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string binary = converted(directory, edges, {"--compress"});
  const auto decided = [&](const std::string& graph) {
    const Result r = run_gssl({"label", graph, labels, "--method", "label-propagation"});
    CHECK(r.status == 0);
    std::string columns;  // node and label
    for (std::size_t at = 0; at < r.out.size();) {
      const std::size_t end = r.out.find('\n', at);
      const std::string line = r.out.substr(at, end - at);
      columns += line.substr(0, line.find('\t', line.find('\t') + 1)) + '\n';
      at = end + 1;
    }
    return std::pair(columns, r.err);
  };
  const auto [plain, said] = decided(edges);
  const auto [packed, said_packed] = decided(binary);
  CHECK(packed == plain);
  CHECK_THAT(said_packed, Contains("over compressed rows: converged"));
  CHECK_THAT(said, !Contains("over compressed rows"));
}

TEST_CASE("gssl info tells what a binary graph holds, and verifies it", "[gssl]") {
  const TemporaryDirectory directory;
  const std::vector<std::string> options =
      GENERATE(std::vector<std::string>{}, std::vector<std::string>{"--compress"});
  const std::string binary = converted(directory, edges, options);
  const Result r = run_gssl({"info", binary, "--verify"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("format\tbinary"));
  CHECK_THAT(r.out, Contains(options.empty() ? "rows\tplain" : "rows\tcompressed"));
  CHECK_THAT(r.out, Contains("verified\tyes"));
  const std::string text = run_gssl({"info", edges}).out;
  for (const char* row : {"vertices\t", "edges\t", "components\t", "degree_median\t",
                          "weight_median\t", "edges_given\t", "reversed_merged\t"}) {
    const std::size_t at = text.find(std::string("\n") + row);
    REQUIRE(at != std::string::npos);
    CHECK_THAT(r.out, Contains(text.substr(at, text.find('\n', at + 1) - at)));
  }
  CHECK(run_gssl({"info", edges, "--verify"}).status == 64);
  CHECK(run_gssl({"info", binary, "--bipartite"}).status == 64);
}

TEST_CASE("damaged, cut off and missing binary graphs end with the reason", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string bytes = read_file(converted(directory, edges));
  const auto refused = [&](const std::string& content, const std::string& reason) {
    const std::string path = directory.file("bad.gssl", content);
    for (const Result& r : {run_gssl({"label", path, labels}), run_gssl({"info", path}),
                            run_gssl({"convert", path, (directory.path() / "o.tsv").string()})}) {
      CHECK(r.status == 65);
      CHECK_THAT(r.err, Contains("bad.gssl: ") && Contains(reason));
    }
    CHECK_FALSE(std::filesystem::exists(directory.path() / "o.tsv"));
  };
  std::string damaged = bytes;
  damaged[10000] = static_cast<char>(damaged[10000] ^ 8);
  refused(damaged, "checksum of the block");
  refused(bytes.substr(0, bytes.size() / 2), "bytes of");
  CHECK(run_gssl({"info", (directory.path() / "none.gssl").string()}).status == 66);
}

TEST_CASE("a binary graph is written to a file, and only it is compressed", "[gssl]") {
  const Result pipe = run_gssl({"convert", edges, "-", "--to", "binary"});
  CHECK(pipe.status == 73);
  CHECK_THAT(pipe.err, Contains("give the name of a file"));
  CHECK(run_gssl({"convert", edges, "-", "--compress"}).status == 64);
}

TEST_CASE("an estimate of a binary graph writes nothing", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string kept = directory.file("kept.gssl", "OLD");
  const Result convert = run_gssl({"convert", edges, kept, "--estimate", "--quiet"});
  CHECK(convert.status == 0);
  CHECK(read_file(kept) == "OLD");
  CHECK_THAT(convert.out, Contains("peak_memory_bytes\t"));
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--compress"}}) {
    const Result info =
        run_gssl({"info", converted(directory, edges, options), "--estimate", "--quiet"});
    CHECK(info.status == 0);
    CHECK_THAT(info.out, Contains("peak_memory_bytes\t"));
    CHECK_THAT(info.out, !Contains("vertices\t"));
  }
}
