#include "multiway_cut.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/induced_subgraph.hpp"

namespace gssl::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double labeling_cost(const Graph& graph, const Block& ties, const std::vector<int>& label) {
  double cost = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u < v && label[index(u)] != label[index(v)]) cost += w;
    });
    for (int k = 0; k < ties.columns(); ++k)
      if (k != label[index(v)]) cost += ties(v, k);
  }
  return cost;
}

// Paths are short where most vertices are tied. Elsewhere the last of a flow goes far, which
// push-relabel minds less.
MaxFlowOptions flow_options(const Block& ties, const MultiwayOptions& options) {
  if (options.flow.method != FlowMethod::automatic) return options.flow;
  std::int64_t tied = 0;
  for (VertexId v = 0; v < ties.rows(); ++v) tied += std::ranges::max(ties.row(v)) > 0.0 ? 1 : 0;
  return {2 * tied > ties.rows() ? FlowMethod::automatic : FlowMethod::push_relabel};
}

void solve_two(const Graph& graph, const Block& ties, const MultiwayOptions& options,
               const RunContext& run, MultiwayCut& found) {
  const auto n = index(graph.vertex_count());
  std::vector<double> source(n), sink(n);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    source[index(v)] = ties(v, 0);
    sink[index(v)] = ties(v, 1);
  }
  MaxFlow problem(graph, source, sink, options.flow);
  const MaxFlowReport report = problem.solve(run);
  found.cut = report.cut;
  found.lower_bound = report.flow;
  found.used = report.used;
  found.flows = 1;
  const auto smallest = problem.source_side(CutSide::smallest_source);
  const auto largest = problem.source_side(CutSide::largest_source);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const double first = 0.5 * (smallest[index(v)] + largest[index(v)]);
    found.shares(v, 0) = first;
    found.shares(v, 1) = 1.0 - first;
  }
}

// Of many classes a vertex is tied to few.
class NonzeroTies {
 public:
  explicit NonzeroTies(const Block& ties) : start_{0} {
    for (std::int64_t v = 0; v < ties.rows(); ++v) {
      const auto row = ties.row(v);
      for (std::size_t k = 0; k < row.size(); ++k)
        if (row[k] != 0.0) ties_.emplace_back(static_cast<int>(k), row[k]);
      start_.push_back(ties_.size());
    }
  }

  // To class k, and to all others together.
  void split(int k, std::vector<double>& own, std::vector<double>& others) const {
    for (std::size_t v = 0; v + 1 < start_.size(); ++v) {
      own[v] = others[v] = 0.0;
      for (std::size_t i = start_[v]; i < start_[v + 1]; ++i)
        (ties_[i].first == k ? own : others)[v] += ties_[i].second;
    }
  }

 private:
  std::vector<std::size_t> start_;  // vertex → its first tie; one more
  std::vector<std::pair<int, double>> ties_;
};

// What the isolating cuts say.
struct Isolation {
  std::vector<int> label;          // a labeling within 2 − 2/K of the best
  std::vector<VertexId> open;      // in no smallest side, ascending; others have no choice
  std::optional<MaxFlow> problem;  // on the whole graph, to be reset
};

Isolation isolate(const Graph& graph, const Block& ties, const MultiwayOptions& options,
                  const RunContext& run, MultiwayCut& found) {
  const auto n = index(graph.vertex_count());
  const auto classes = static_cast<int>(ties.columns());
  constexpr int nobody = -1, several = -2;
  std::vector<int> held(n, nobody), claimed(n, nobody);  // by smallest sides; by largest ones
  int dearest = 0;
  double most = -1.0, sum = 0.0;
  std::vector<double> source(n), sink(n);
  const MaxFlowOptions flow = flow_options(ties, options);
  Isolation result;
  std::optional<MaxFlow>& problem = result.problem;
  const NonzeroTies nonzero(ties);
  for (int k = 0; k < classes; ++k) {
    run.throw_if_stopped("min-cut", "before every class had an isolating cut");
    run.report_progress("isolating cuts", static_cast<double>(k) / classes);
    nonzero.split(k, source, sink);
    if (problem) {
      problem->reset(source, sink);
    } else {
      problem.emplace(graph, source, sink, flow);
    }
    const MaxFlowReport report = problem->solve(run);
    found.used = report.used;
    ++found.flows;
    sum += report.flow;
    if (report.flow > most) {
      most = report.flow;
      dearest = k;
    }
    const auto smallest = problem->source_side(CutSide::smallest_source);
    const auto largest = problem->source_side(CutSide::largest_source);
    for (std::size_t v = 0; v < n; ++v) {
      if (smallest[v] != 0) held[v] = k;
      if (largest[v] != 0) claimed[v] = claimed[v] == nobody ? k : several;
    }
  }
  found.lower_bound = std::max(0.0, sum / 2.0);
  // Less what others claim too, the largest sides are smallest isolating cuts as well (cut(A∖B) +
  // cut(B∖A) ≤ cut(A) + cut(B)), and apart from each other.
  result.label.resize(n);
  for (std::size_t v = 0; v < n; ++v) {
    const int owner = held[v] != nobody ? held[v] : claimed[v];
    result.label[v] = owner >= 0 ? owner : dearest;
    if (held[v] == nobody) result.open.push_back(static_cast<VertexId>(v));
  }
  return result;
}

// Lets one class after the other take over vertices of the rest.
class AlphaExpansion {
 public:
  // `problem` may be a flow on the same graph.
  AlphaExpansion(const Graph& graph, const Block& ties, std::vector<int> label,
                 std::optional<MaxFlow> problem, const MaxFlowOptions& flow, const RunContext& run)
      : graph_(graph),
        ties_(ties),
        flow_(flow),
        run_(run),
        label_(std::move(label)),
        cost_(labeling_cost(graph, ties, label_)),
        equal_(graph.vertex_count(), ties.columns()),
        problem_(std::move(problem)) {
    find_border();
  }

  // Until no class can gain; counts its flows in `found`.
  void solve(MultiwayCut& found) {
    const auto classes = static_cast<int>(ties_.columns());
    try {
      for (int k = 0, idle = 0; idle < classes; k = (k + 1) % classes) {
        idle = expand(k, found) ? 1 : idle + 1;  // k has what it can gain
      }
    } catch (const Error& error) {
      const std::optional<Outcome> why = stop_of(error);
      if (!why) throw;
      found.outcome = *why;
    }
  }

  const std::vector<int>& label() const { return label_; }
  // 1 where the class could take the vertex at no cost, as far as was seen since the last gain.
  const Block& equal() const { return equal_; }

 private:
  // An edge between two classes.
  struct Border {
    VertexId u, v;
    EdgeIndex entry;
    bool held;              // an end cannot change its class
    double capacity = 0.0;  // while some class expands
  };

  void find_border() {
    border_.clear();
    for (VertexId u = 0; u < graph_.vertex_count(); ++u)
      for (EdgeIndex e = graph_.row_begin(u); e < graph_.row_end(u); ++e) {
        const VertexId v = graph_.neighbor_at(e);
        if (u < v && label_[index(u)] != label_[index(v)])
          border_.push_back({u, v, e, is_held(u) || is_held(v)});
      }
  }

  bool is_held(VertexId v) const { return ties_(v, label_[index(v)]) == infinity; }

  // Source side: takes class k. An edge between two other classes is cut when either end keeps its
  // class, w/2 for each end that does and w/2 when one of them alone does; where an end is held it
  // is cut for good.
  bool expand(int k, MultiwayCut& found) {
    const VertexId count = graph_.vertex_count();
    source_.resize(index(count));
    sink_.resize(index(count));
    bool any = false;
    for (VertexId v = 0; v < count; ++v) {
      const int mine = label_[index(v)];
      source_[index(v)] = mine == k ? infinity : ties_(v, k);
      sink_[index(v)] = mine == k ? 0.0 : ties_(v, mine);
      any = any || (mine != k && sink_[index(v)] < infinity);
    }
    if (!any) return false;
    const auto is_k = [&](VertexId v) { return label_[index(v)] == k; };
    for (Border& edge : border_) {
      const double w = graph_.weight_at(edge.entry);
      edge.capacity = is_k(edge.u) || is_k(edge.v) ? w : edge.held ? 0.0 : w / 2.0;
      if (edge.held || edge.capacity == w) continue;
      source_[index(edge.u)] += w / 2.0;
      source_[index(edge.v)] += w / 2.0;
    }
    if (problem_) {
      problem_->reset(source_, sink_);
    } else {
      problem_.emplace(graph_, source_, sink_, flow_);
    }
    for (const Border& edge : border_) problem_->set_capacity(edge.entry, edge.capacity);
    found.used = problem_->solve(run_).used;
    ++found.flows;
    const auto smallest = problem_->source_side(CutSide::smallest_source);
    std::vector<int> next = label_;
    for (std::size_t v = 0; v < next.size(); ++v)
      if (smallest[v] != 0) next[v] = k;
    const double cost = next == label_ ? cost_ : labeling_cost(graph_, ties_, next);
    const bool gained = cost < cost_ * (1.0 - 1e-12);
    if (gained) {
      for (const Border& edge : border_)
        problem_->set_capacity(edge.entry, graph_.weight_at(edge.entry));
      label_ = std::move(next);
      find_border();
      cost_ = cost;
      equal_ = Block(equal_.rows(), equal_.columns());
    }
    const auto largest = problem_->source_side(CutSide::largest_source);
    for (VertexId v = 0; v < count; ++v)
      if (largest[index(v)] != 0) equal_(v, k) = 1.0;
    return gained;
  }

  const Graph& graph_;
  const Block& ties_;
  MaxFlowOptions flow_;
  const RunContext& run_;
  std::vector<int> label_;
  double cost_;
  Block equal_;
  std::vector<double> source_, sink_;
  std::vector<Border> border_;
  std::optional<MaxFlow> problem_;
};

// The open vertices as a problem of their own; what is settled becomes ties of its neighbors.
void expand_on_open(const Graph& graph, const Block& ties, Isolation& start,
                    const MaxFlowOptions& flow, const RunContext& run, MultiwayCut& found) {
  const Graph open = induced_subgraph(graph, start.open);
  std::vector<bool> is_open(index(graph.vertex_count()), false);
  for (const VertexId v : start.open) is_open[index(v)] = true;
  Block open_ties(open.vertex_count(), ties.columns());
  std::vector<int> label(start.open.size());
  for (std::size_t i = 0; i < start.open.size(); ++i) {
    const VertexId v = start.open[i];
    const auto row = open_ties.row(static_cast<std::int64_t>(i));
    std::ranges::copy(ties.row(v), row.begin());
    graph.visit_row(v, [&](VertexId u, double w) {
      if (!is_open[index(u)]) row[static_cast<std::size_t>(start.label[index(u)])] += w;
    });
    label[i] = start.label[index(v)];
  }
  AlphaExpansion expansion(open, open_ties, std::move(label), {}, flow, run);
  expansion.solve(found);
  for (std::size_t i = 0; i < start.open.size(); ++i) {
    const VertexId v = start.open[i];
    start.label[index(v)] = expansion.label()[i];
    std::ranges::copy(expansion.equal().row(static_cast<std::int64_t>(i)),
                      found.shares.row(v).begin());
  }
}

// Where little is settled: on the whole graph, with what is settled tied for good.
void expand_on_all(const Graph& graph, const Block& ties, Isolation& start,
                   const MaxFlowOptions& flow, const RunContext& run, MultiwayCut& found) {
  Block held = ties;
  for (VertexId v = 0, i = 0; v < graph.vertex_count(); ++v) {
    if (index(i) < start.open.size() && start.open[index(i)] == v) {
      ++i;
      continue;
    }
    std::ranges::fill(held.row(v), 0.0);
    held(v, start.label[index(v)]) = infinity;
  }
  AlphaExpansion expansion(graph, held, start.label, std::move(start.problem), flow, run);
  expansion.solve(found);
  start.label = expansion.label();
  found.shares = expansion.equal();
}

}  // namespace

MultiwayCut multiway_cut(const Graph& graph, const Block& ties, const MultiwayOptions& options,
                         const RunContext& run) {
  MultiwayCut found;
  if (ties.columns() == 2) {
    found.shares = Block(graph.vertex_count(), ties.columns());
    solve_two(graph, ties, options, run, found);
    return found;
  }
  Isolation labeling = isolate(graph, ties, options, run, found);
  found.shares = Block(graph.vertex_count(), ties.columns());
  found.isolating_cut = labeling_cost(graph, ties, labeling.label);
  found.undecided = static_cast<std::int64_t>(labeling.open.size());
  if (options.expand) {
    const auto expand =
        2 * labeling.open.size() < index(graph.vertex_count()) ? expand_on_open : expand_on_all;
    expand(graph, ties, labeling, flow_options(ties, options), run, found);
  }
  found.cut = labeling_cost(graph, ties, labeling.label);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto row = found.shares.row(v);
    row[static_cast<std::size_t>(labeling.label[index(v)])] = 1.0;
    const auto choices = static_cast<double>(std::ranges::count(row, 1.0));
    for (double& share : row) share /= choices;
  }
  return found;
}

}  // namespace gssl::detail
