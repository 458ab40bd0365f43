#include "online/power_labels.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/network/path_cover.hpp"
#include "network/p_laplacian/network_pieces.hpp"
#include "network/p_laplacian/p_energy.hpp"

namespace gssl::detail {
namespace {

// A label this near to the value that its vertex had changes nothing.
constexpr double same_value = 1e-12;
constexpr std::int64_t most_centers = 2000;

}  // namespace

PowerLabels::PowerLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double p,
                         double tolerance, const RunContext& run)
    : graph_(std::move(graph)),
      p_(p),
      tolerance_(tolerance),
      run_(run),
      labeled_(index(graph_->vertex_count()), false),
      solved_(labeled_),
      u_(graph_->vertex_count(), columns),
      value_(index(columns), 0.0) {}

// Values follow from the labels alone, and are solved for again.
PowerLabels::PowerLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double p,
                         double tolerance, const Record& record, const RunContext& run)
    : PowerLabels(std::move(graph), columns, p, tolerance, run) {
  const std::vector<std::int32_t>& vertices = record.integers("labeled");
  const auto count = static_cast<std::int64_t>(vertices.size());
  const std::vector<double>& given = record.reals("label_values", count * columns);
  for (std::int64_t i = 0; i < count; ++i) {
    const VertexId v = vertices[index(i)];
    if (v < 0 || v >= graph_->vertex_count() || labeled_[index(v)])
      throw Error(ErrorCode::bad_data,
                  "labeled vertex " + std::to_string(v) + ": must be one of the graph's, and once");
    reveal(v, {given.data() + i * columns, index(columns)});
  }
}

void PowerLabels::save(Record& record) const {
  std::vector<double> given;
  for (const VertexId v : vertex_) given.insert(given.end(), u_.row(v).begin(), u_.row(v).end());
  record.put("labeled", vertex_);
  record.put("label_values", std::move(given));
}

std::vector<VertexId> PowerLabels::piece_of(VertexId v) const {
  std::vector<bool> seen(labeled_.size(), false);
  std::vector<VertexId> piece{v};
  seen[index(v)] = true;
  for (std::size_t i = 0; i < piece.size(); ++i)
    for (const VertexId u : graph_->neighbors(piece[i])) {
      if (labeled_[index(u)] || seen[index(u)]) continue;
      seen[index(u)] = true;
      piece.push_back(u);
    }
  std::ranges::sort(piece);
  return piece;
}

void PowerLabels::look_at(VertexId v) {
  if (!labeled_[index(v)] && !solved_[index(v)]) solve_piece(v);
  std::ranges::copy(u_.row(v), value_.begin());
}

// The piece of v alone as a Dirichlet problem: the rest of the graph has no part in it.
void PowerLabels::solve_piece(VertexId v) {
  const std::vector<VertexId> piece = piece_of(v);
  std::vector<VertexId> number(labeled_.size(), no_vertex), ends;
  VertexId next = 0;
  for (const VertexId u : piece) number[index(u)] = next++;
  for (const VertexId u : piece)
    for (const VertexId other : graph_->neighbors(u))
      if (number[index(other)] == no_vertex) {
        number[index(other)] = next++;
        ends.push_back(other);
      }
  GraphBuilder builder(next);
  for (const VertexId u : piece)
    graph_->visit_row(u, [&](VertexId other, double weight) {
      if (labeled_[index(other)] || u < other)
        builder.add(number[index(u)], number[index(other)], weight);
    });
  for (const VertexId u : piece) std::ranges::fill(u_.row(u), 0.0);
  if (!ends.empty()) solve_between(piece, ends, std::move(builder).finish(1), number);
  for (const VertexId u : piece) solved_[index(u)] = true;
}

// With the labels of `ends`; `number` is that of a vertex in `part`.
void PowerLabels::solve_between(std::span<const VertexId> piece, std::span<const VertexId> ends,
                                const Graph& part, std::span<const VertexId> number) {
  std::vector<VertexId> terminals;
  terminals.reserve(ends.size());
  for (const VertexId end : ends) terminals.push_back(number[index(end)]);
  DirichletProblem problem = make_dirichlet_problem(part, terminals);
  const std::vector<VertexId> free = problem.free_vertices;
  for (const NetworkPiece& network : network_pieces(std::move(problem))) {
    const PowerMinimizer minimizer(network, {.p = p_, .tolerance = tolerance_},
                                   static_cast<int>(u_.columns()), run_);
    std::vector<std::vector<double>> columns(index(u_.columns()));
    for (std::int64_t k = 0; k < u_.columns(); ++k)
      for (const VertexId end : ends) columns[index(k)].push_back(u_(end, k));
    const std::vector<PEnergySolution> found = minimizer.minimize(columns, run_);
    for (std::int64_t k = 0; k < u_.columns(); ++k) {
      run_.throw_if_stopped("seminorm", "before a labeling of least energy was found");
      gap_ = std::max(gap_, found[index(k)].gap);
      for (std::size_t r = 0; r < network.row_of.size(); ++r)
        u_(piece[index(free[index(network.row_of[r])])], k) = found[index(k)].potential[r];
    }
  }
}

void PowerLabels::reveal(VertexId v, std::span<const double> value) {
  bool same = solved_[index(v)];
  for (std::size_t k = 0; k < value.size(); ++k)
    same = same && std::abs(u_(v, static_cast<std::int64_t>(k)) - value[k]) <= same_value;
  if (!same)
    for (const VertexId u : piece_of(v)) solved_[index(u)] = false;
  labeled_[index(v)] = true;
  solved_[index(v)] = false;
  vertex_.push_back(v);
  std::ranges::copy(value, u_.row(v).begin());
}

void PowerLabels::prove(OnlineReport& report, bool two_classes) const {
  // All solved again, so that nothing depends on which vertices were asked.
  PowerLabels all(*this);
  all.solved_.assign(all.solved_.size(), false);
  all.gap_ = 0.0;
  bound_by_labels(report, count());
  try {
    for (VertexId v = 0; v < graph_->vertex_count(); ++v) all.look_at(v);
  } catch (const Error&) {
    if (!run_.should_stop()) throw;
    return;
  }
  const double energy = energy_sum(*graph_, all.u_, p_);
  report.certificates.push_back({"energy", {energy}});
  report.certificates.push_back({"duality_gap", {all.gap_}});
  if (!two_classes) return;
  const PathCoverBound best = best_path_cover_bound(*graph_, p_, energy, most_centers, run_);
  if (std::isinf(best.bound)) return;
  report.add_bound(best.bound * (1.0 + bound_rounding),
                   "k + (ρP)^(2/p)/(p − 1): k balls of p-resistance ρ, p-energy P");
  report.certificates.push_back({"centers", {static_cast<double>(best.centers)}});
  report.certificates.push_back({"resistance", {best.resistance}});
}

}  // namespace gssl::detail
