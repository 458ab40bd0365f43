#include "gssl/answer/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/many_right_hand_sides.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"

namespace gssl {

namespace {

using detail::ManyRightHandSides;

SolverOptions solver_options(const HarmonicOptions& options) {
  return {.kind = options.solver,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .eliminate = true};
}

void check(const Graph& graph, const LabeledSet& labeled, const HarmonicOptions& options) {
  options.validate();
  detail::check_problem("explain", graph, labeled, detail::Regression::supported);
  if (options.mass != MassRule::none) {
    throw Error(ErrorCode::usage,
                "explain: option mass must be none: rescaled scores are no average of the labels");
  }
}

// The system of hard or soft labels, and how its solutions are read.
class Network {
 public:
  Network(const Graph& graph, const LabeledSet& labeled, double soft)
      : graph_(graph),
        labeled_(labeled),
        soft_(soft),
        components_(connected_components(graph)),
        unreached_(detail::unreached_vertices(components_, labeled)),
        status_(detail::vertex_status(graph.vertex_count(), labeled, unreached_)),
        row_of_(static_cast<std::size_t>(graph.vertex_count()), no_vertex),
        label_of_(row_of_.size(), -1) {
    for (std::size_t j = 0; j < labeled.size(); ++j)
      label_of_[static_cast<std::size_t>(labeled.vertices()[j])] = static_cast<std::int64_t>(j);
  }

  GroundedLaplacian system() {
    if (soft_ == 0.0) {
      DirichletProblem problem = make_dirichlet_problem(graph_, labeled_.vertices());
      vertex_of_ = std::move(problem.free_vertices);
      number_rows();
      return std::move(problem.system);
    }
    vertex_of_.resize(row_of_.size());
    std::iota(vertex_of_.begin(), vertex_of_.end(), VertexId{0});
    number_rows();
    std::vector<double> ground(row_of_.size(), 0.0);
    for (const VertexId v : labeled_.vertices()) ground[static_cast<std::size_t>(v)] = soft_;
    return GroundedLaplacian(std::make_shared<const Graph>(graph_), std::move(ground));
  }

  VertexStatus status(VertexId v) const { return status_[static_cast<std::size_t>(v)]; }
  VertexId vertex(std::int64_t row) const { return vertex_of_[static_cast<std::size_t>(row)]; }
  std::size_t label_at(VertexId v) const {
    return static_cast<std::size_t>(label_of_[static_cast<std::size_t>(v)]);
  }
  VertexId row(VertexId v) const { return row_of_[static_cast<std::size_t>(v)]; }
  // Whether another label of the component of each label has its class. All of them count as of one
  // class in a regression.
  std::vector<bool> of_class() const {
    std::map<std::pair<VertexId, int>, int> members;
    const auto group = [&](std::size_t i) {
      const VertexId v = labeled_.vertices()[i];
      return std::pair(components_.of[static_cast<std::size_t>(v)],
                       labeled_.is_regression() ? 0 : labeled_.class_of()[i]);
    };
    for (std::size_t i = 0; i < labeled_.size(); ++i) ++members[group(i)];
    std::vector<bool> found(labeled_.size());
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = members[group(i)] > 1;
    return found;
  }

  bool connected(VertexId u, VertexId v) const {
    return components_.of[static_cast<std::size_t>(u)] ==
           components_.of[static_cast<std::size_t>(v)];
  }

  // The share that `ℓ` has in vertex v, from column c of z = A⁻¹e_v. Rounding and an unfinished
  // solve may leave it a little below zero, where the exact one is not.
  double share(const Block& z, std::int64_t c, VertexId l) const {
    if (soft_ > 0.0) return std::max(0.0, soft_ * z(row(l), c));
    return std::max(0.0, from_neighbors(z, c, l));
  }

  // Right-hand side of column j of P: what label j sends into the system.
  void fill_label_column(std::int64_t j, std::int64_t c, Block& b) const {
    const VertexId l = label(j);
    if (soft_ > 0.0) {
      b(row(l), c) = soft_;
      return;
    }
    graph_.visit_row(l, [&](VertexId u, double w) {
      if (row(u) != no_vertex) b(row(u), c) = w;
    });
  }

  // What the free vertices add to κ_ij, from column c of P, which is that of label j.
  double coupling(const Block& p, std::int64_t c, std::int64_t i, std::int64_t j) const {
    if (i == j || !connected(label(i), label(j))) return 0.0;
    if (soft_ > 0.0) return std::max(0.0, p(row(label(i)), c));
    return std::max(0.0, from_neighbors(p, c, label(i)));
  }

  // Calls add(j, w_ij) for the edges between label i and others. Soft labels have all of κ in P.
  template <class Add>
  void visit_direct_couplings(std::int64_t i, Add&& add) const {
    if (soft_ > 0.0) return;
    graph_.visit_row(label(i), [&](VertexId u, double w) {
      const std::int64_t j = label_of_[static_cast<std::size_t>(u)];
      if (j >= 0) add(j, w);
    });
  }

 private:
  void number_rows() {
    for (std::size_t r = 0; r < vertex_of_.size(); ++r)
      row_of_[static_cast<std::size_t>(vertex_of_[r])] = static_cast<VertexId>(r);
  }

  VertexId label(std::int64_t j) const { return labeled_.vertices()[static_cast<std::size_t>(j)]; }

  double from_neighbors(const Block& x, std::int64_t c, VertexId v) const {
    double sum = 0.0;
    graph_.visit_row(v, [&](VertexId u, double w) {
      if (row(u) != no_vertex) sum += w * x(row(u), c);
    });
    return sum;
  }

  const Graph& graph_;
  const LabeledSet& labeled_;
  double soft_;
  Components components_;
  std::vector<VertexId> unreached_;
  std::vector<VertexStatus> status_;
  std::vector<VertexId> row_of_;        // vertex → row of the system, or no_vertex
  std::vector<VertexId> vertex_of_;     // row → vertex
  std::vector<std::int64_t> label_of_;  // vertex → its place among the labels, or −1
};

// Shares above zero, largest first.
Explanation from_shares(VertexId v, VertexStatus status, const std::vector<double>& share) {
  Explanation found{.vertex = v, .status = status, .shares = {}, .row_sum = 0.0};
  for (std::size_t l = 0; l < share.size(); ++l) {
    found.row_sum += share[l];
    if (share[l] > 0.0) found.shares.push_back({l, share[l]});
  }
  std::ranges::stable_sort(found.shares, std::ranges::greater{}, &LabelShare::share);
  return found;
}

// Whether the shares decide, of which `row_sum` is known: by more than what is not.
bool decides(const Explanation& one, const LabeledSet& labeled) {
  const double unknown = std::abs(1.0 - one.row_sum);
  if (labeled.is_regression()) return unknown <= detail::score_error_limit;
  std::vector<double> of_class(static_cast<std::size_t>(labeled.class_count()), 0.0);
  for (const LabelShare& s : one.shares)
    of_class[static_cast<std::size_t>(labeled.class_of()[s.label])] += s.share;
  std::ranges::sort(of_class, std::ranges::greater{});
  return of_class[0] - (of_class.size() > 1 ? of_class[1] : 0.0) > unknown;
}

}  // namespace

Explanations explain(const Graph& graph, const LabeledSet& labeled,
                     std::span<const VertexId> vertices, const HarmonicOptions& options,
                     const RunContext& run) {
  check(graph, labeled, options);
  for (const VertexId v : vertices) {
    if (v < 0 || v >= graph.vertex_count())
      throw Error(ErrorCode::bad_data, "explain: vertex " + std::to_string(v) +
                                           ": must be in [0, " +
                                           std::to_string(graph.vertex_count()) + ")");
  }
  Explanations found;
  const Stopwatch setup;
  Network network(graph, labeled, options.soft);
  GroundedLaplacian system = network.system();
  std::vector<std::size_t> solved;  // places in `vertices` that need a solve
  found.of.resize(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const VertexStatus status = network.status(vertices[i]);
    found.of[i].vertex = vertices[i];
    found.of[i].status = status;
    if (status == VertexStatus::given && options.soft == 0.0) {
      found.of[i].shares = {{network.label_at(vertices[i]), 1.0}};
      found.of[i].row_sum = 1.0;
    } else if (status != VertexStatus::unreached) {
      solved.push_back(i);
    }
  }
  found.report.setup_seconds = setup.seconds();

  const auto count = static_cast<std::int64_t>(solved.size());
  ManyRightHandSides solves(std::move(system), solver_options(options), count, run, found.report);
  solves.each(
      "explain", count, run,
      [&](std::int64_t j, std::int64_t c, Block& b) {
        b(network.row(vertices[solved[static_cast<std::size_t>(j)]]), c) = 1.0;
      },
      [&](std::int64_t first, std::int64_t columns, const Block& z) {
        for (std::int64_t c = 0; c < columns; ++c) {
          const std::size_t at = solved[static_cast<std::size_t>(first + c)];
          const VertexId v = vertices[at];
          std::vector<double> share(labeled.size(), 0.0);
          for (std::size_t l = 0; l < share.size(); ++l) {
            if (network.connected(v, labeled.vertices()[l]))
              share[l] = network.share(z, c, labeled.vertices()[l]);
          }
          found.of[at] = from_shares(v, network.status(v), share);
        }
      });
  for (const std::size_t at : solved)
    if (!found.report.converged() && !decides(found.of[at], labeled))
      found.of[at].status = VertexStatus::unfinished;
  Certificate sums{.name = "row_sums", .values = {}};
  for (const Explanation& one : found.of) sums.values.push_back(one.row_sum);
  found.report.certificates.push_back(std::move(sums));
  return found;
}

LeaveOneOut leave_one_out(const Graph& graph, const LabeledSet& labeled,
                          const HarmonicOptions& options, const RunContext& run) {
  check(graph, labeled, options);
  LeaveOneOut found;
  const Stopwatch setup;
  Network network(graph, labeled, options.soft);
  found.of_class = network.of_class();
  const auto count = static_cast<std::int64_t>(labeled.size());
  const Block targets = labeled.target_block();
  ManyRightHandSides solves(network.system(), solver_options(options), count, run, found.report);
  found.report.setup_seconds = setup.seconds();

  Block sums(count, targets.columns());
  std::vector<double> total(labeled.size(), 0.0);
  const auto add = [&](std::int64_t i, std::int64_t j, double coupling) {
    total[static_cast<std::size_t>(i)] += coupling;
    for (std::int64_t k = 0; k < targets.columns(); ++k) sums(i, k) += coupling * targets(j, k);
  };
  for (std::int64_t i = 0; i < count; ++i)
    network.visit_direct_couplings(i, [&](std::int64_t j, double w) { add(i, j, w); });
  std::vector<double> row_sum(static_cast<std::size_t>(solves.rows()), 0.0);
  const int threads = run.thread_count();
  found.complete = solves.each(
      "leave one out", count, run,
      [&](std::int64_t j, std::int64_t c, Block& b) { network.fill_label_column(j, c, b); },
      [&](std::int64_t first, std::int64_t columns, const Block& p) {
        parallel_blocks(p.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t r = begin; r < end; ++r)
            for (const double share : p.row(r)) row_sum[static_cast<std::size_t>(r)] += share;
        });
        parallel_blocks(
            count, threads,
            [&](std::int64_t begin, std::int64_t end) {
              for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t c = 0; c < columns; ++c)
                  add(i, first + c, network.coupling(p, c, i, first + c));
            },
            16);
      });
  found.predicted.resize(labeled.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const double all = total[static_cast<std::size_t>(i)];
    found.predicted[static_cast<std::size_t>(i)] = all > 0.0;
    for (double& value : sums.row(i)) value = all > 0.0 ? value / all : 0.0;
  }
  found.scores = std::move(sums);
  double error = 0.0;
  for (std::size_t r = 0; found.complete && r < row_sum.size(); ++r) {
    if (network.status(network.vertex(static_cast<std::int64_t>(r))) != VertexStatus::unreached)
      error = std::max(error, std::abs(1.0 - row_sum[r]));
  }
  if (found.complete) found.report.certificates.push_back({"row_sum_error", {error}});
  return found;
}

std::string_view to_string(SuspectStatus status) { return names_of<SuspectStatus>.name(status); }

std::vector<Suspect> rank_suspects(const LabeledSet& labeled, const LeaveOneOut& found) {
  std::vector<Suspect> suspects(labeled.size());
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    Suspect& suspect = suspects[i];
    suspect.label = i;
    if (!found.complete || !found.predicted[i]) {
      suspect.status = found.complete ? SuspectStatus::alone : SuspectStatus::unfinished;
      continue;
    }
    const std::span<const double> row = found.scores.row(static_cast<std::int64_t>(i));
    if (labeled.is_regression()) {
      suspect.best_score = row[0];
      suspect.suspicion = std::abs(labeled.target_of()[i] - row[0]);
      continue;
    }
    const int own = labeled.class_of()[i];
    const auto best = std::ranges::max_element(row);
    suspect.best = static_cast<int>(best - row.begin());
    suspect.best_score = *best;
    suspect.own_score = row[static_cast<std::size_t>(own)];
    double rival = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (static_cast<int>(k) != own) rival = std::max(rival, row[k]);
    suspect.suspicion = rival - suspect.own_score;
    if (!found.of_class[i]) suspect.status = SuspectStatus::only_of_class;
  }
  std::ranges::stable_sort(suspects, [](const Suspect& a, const Suspect& b) {
    return a.status != b.status ? a.status < b.status : a.suspicion > b.suspicion;
  });
  return suspects;
}

}  // namespace gssl
