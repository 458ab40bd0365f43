// More than 2^31 arcs: a ring of 2^17 vertices, each tied to the 8,193 before and behind it. Plain
// rows are 8.6 GB, compressed ones 2.1 GB; both stay in the file. Asked for by its tag:
//   test_large "[large]"

#include <algorithm>
#include <filesystem>

#include "graph_file_writer.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/transductive/compressed_propagation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr VertexId n = 1 << 17;
constexpr VertexId reach = 8193;
constexpr EdgeIndex degree = EdgeIndex{2} * reach;

// Ascending: what wraps round 0 or n stands at the other end.
std::vector<VertexId> ring_row(VertexId u) {
  std::vector<VertexId> row;
  row.reserve(static_cast<std::size_t>(degree));
  const auto append = [&](VertexId first, VertexId last) {
    for (VertexId v = std::max(first, 0); v <= std::min(last, n - 1); ++v)
      if (v != u) row.push_back(v);
  };
  append(0, u + reach - n);
  append(u - reach, u + reach);
  append(u - reach + n, n - 1);
  return row;
}

std::string ring_file(const TemporaryDirectory& directory, bool compress) {
  std::string path = (directory.path() / "ring.gssl").string();
  OutputFile out(path);
  detail::GraphFileWriter file(out, {.compress = compress});
  std::vector<EdgeIndex> offsets(static_cast<std::size_t>(n) + 1);
  for (VertexId u = 0; u <= n; ++u) offsets[static_cast<std::size_t>(u)] = u * degree;
  for (VertexId u = 0; u < n; ++u)
    file.add_rows(std::span<const EdgeIndex>(offsets).subspan(static_cast<std::size_t>(u), 2),
                  ring_row(u));
  file.finish(offsets, {}, VertexNames::numbered(n), {});
  out.commit();
  return path;
}

// Room for the file, twice.
bool has_room(const TemporaryDirectory& directory) {
  constexpr std::uintmax_t wanted = std::uintmax_t{20} << 30;
  const std::uintmax_t room = std::filesystem::space(directory.path()).available;
  if (room < wanted) WARN("skipped: " << room << " bytes free; 20 GB are wanted");
  return room >= wanted;
}

}  // namespace

TEST_CASE("2^31 arcs and more are mapped, checked and multiplied", "[.][large]") {
  const TemporaryDirectory directory;
  if (!has_room(directory)) return;
  const BinaryGraph file = BinaryGraph::open(ring_file(directory, false));
  CHECK(2 * file.facts().edges == n * degree);
  CHECK(2 * file.facts().edges > EdgeIndex{1} << 31);
  const Graph graph = file.graph();
  CHECK(ring_row(5).size() == static_cast<std::size_t>(degree));
  CHECK(std::ranges::equal(graph.neighbors(n - 1), ring_row(n - 1)));
  CHECK(connected_components(graph).count == 1);
  const std::vector<double> degrees = weighted_degrees(graph, 2);
  CHECK(std::ranges::all_of(degrees, [](double d) { return d == static_cast<double>(degree); }));
  Block x(n, 1, 1.0), y;
  x(n - 1, 0) = 2.0;
  apply_laplacian(graph, LaplacianKind::combinatorial, x, y, 2);
  CHECK(y(n - 1, 0) == static_cast<double>(degree));
  CHECK(y(0, 0) == -1.0);
  CHECK(y(n / 2, 0) == 0.0);
}

TEST_CASE("2^31 arcs and more are labelled over compressed rows", "[.][large]") {
  const TemporaryDirectory directory;
  if (!has_room(directory)) return;
  const BinaryGraph file = BinaryGraph::open(ring_file(directory, true));
  const std::optional<CompressedGraph> graph = file.compressed();
  REQUIRE(graph);
  CHECK(2 * graph->edge_count() == n * degree);
  CHECK(graph->memory_bytes() < std::size_t{3} << 30);
  std::vector<VertexId> last;
  graph->visit_row(n - 1, [&](VertexId u, double) { last.push_back(u); });
  CHECK(last == ring_row(n - 1));
  const LabeledSet labeled = LabeledSet::classes({0, n / 2}, {"a", "b"});
  const Fit fit = propagate_labels(*graph, labeled, {.max_iterations = 3});
  CHECK(fit.report.iterations == 3);
  // The ring looks the same on either side of a label.
  CHECK(fit.scores.values(1, 0) == Approx(fit.scores.values(n - 1, 0)));
  CHECK(fit.scores.values(1, 0) > fit.scores.values(1, 1));
  CHECK(fit.scores.values(n / 2 + 1, 1) == Approx(fit.scores.values(1, 0)));
}
