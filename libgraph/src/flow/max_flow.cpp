#include "gssl/flow/max_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "residual_network.hpp"

namespace gssl {

using detail::Arc;
using detail::ResidualNetwork;
using detail::rounding;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A flow that is further from its cut has lost digits.
constexpr double digits_of_proof = 1e-12;
// What the search may then spend to find them, in looks at the whole graph.
constexpr std::int64_t rounds_of_proof = 100;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_data, "maximum flow: " + what);
}

void check_terminals(VertexId v, double source, double sink) {
  if (source >= 0.0 && sink >= 0.0 && !(source == infinity && sink == infinity)) return;
  refuse("vertex " + std::to_string(v) +
         ": terminal capacities must be >= 0, and not infinite to both sides");
}

// Is there surplus (sign 1) or demand (sign −1) at v, beyond what rounding leaves?
bool has_terminal(const ResidualNetwork& net, VertexId v, double sign) {
  const double amount = sign * net.surplus[index(v)];
  if (!(amount > 0.0)) return false;
  if (amount == infinity) return true;
  double through = std::abs(net.terminal[index(v)]);
  for (Arc e = net.row_begin(v); e < net.row_end(v); ++e) through += std::abs(net.flow[e]);
  return amount > rounding * through;
}

// Vertices that surplus reaches over arcs with capacity left; with sign −1, that reach demand.
class ResidualReach {
 public:
  ResidualReach(const ResidualNetwork& net, double sign)
      : net_(net), sign_(sign), reached_(net.surplus.size(), 0) {
    for (VertexId v = 0; v < net_.vertex_count(); ++v)
      if (has_terminal(net_, v, sign_)) reach(v);
  }

  // Where much is new, asking the vertices that are left, in their order, whether any neighbor has
  // been reached is faster than going out from the new ones (Beamer, Asanović, Patterson 2012,
  // doi:10.1109/SC.2012.50).
  std::vector<unsigned char> find() {
    std::size_t done = 0;
    while (done < queue_.size()) {
      if (queue_.size() - done > reached_.size() - queue_.size()) {
        done = queue_.size();  // the round sees all of them
        ask_the_rest();
      } else {
        go_out(queue_[done++]);
      }
    }
    return std::move(reached_);
  }

 private:
  void reach(VertexId v) {
    reached_[index(v)] = 1;
    queue_.push_back(v);
  }
  bool has_left(Arc e, double sign) const {
    const double capacity = net_.capacity(e);
    return capacity - sign * net_.flow[e] > rounding * capacity;
  }
  void go_out(VertexId v) {
    for (Arc e = net_.row_begin(v); e < net_.row_end(v); ++e)
      if (reached_[index(net_.head[e])] == 0 && has_left(e, sign_)) reach(net_.head[e]);
  }
  void ask_the_rest() {
    for (VertexId v = 0; v < net_.vertex_count(); ++v) {
      if (reached_[index(v)] != 0) continue;
      for (Arc e = net_.row_begin(v); e < net_.row_end(v); ++e) {
        if (reached_[index(net_.head[e])] == 0 || !has_left(e, -sign_)) continue;
        reach(v);
        break;
      }
    }
  }

  const ResidualNetwork& net_;
  double sign_;
  std::vector<unsigned char> reached_;
  std::vector<VertexId> queue_;  // all that is reached, in the order found
};

// What reaches the sink, from the flow on the edges and not from the bookkeeping of a method.
double flow_value(const ResidualNetwork& net, int threads) {
  return net.direct +
         blocked_sum(net.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
           double sum = 0.0;
           for (std::int64_t v = begin; v < end; ++v) {
             const double terminal = net.terminal[static_cast<std::size_t>(v)];
             if (terminal == infinity) continue;
             double out = 0.0;
             for (Arc e = net.row_begin(static_cast<VertexId>(v));
                  e < net.row_end(static_cast<VertexId>(v)); ++e)
               out += net.flow[e];
             sum += terminal == -infinity
                        ? -out
                        : std::max(-terminal, 0.0) + std::min(terminal - out, 0.0);
           }
           return sum;
         });
}

// How often the search may look at the whole graph before push-relabel goes on from the flow that
// is there. Where its trees are repaired cheaply it ends within a few of these, on meshes
// within 20. Where terminals are so few that most of a tree hangs on one edge, every path costs a
// repair of that size.
std::int64_t search_rounds(const ResidualNetwork& net) {
  const std::int64_t n = net.vertex_count();
  if (static_cast<std::int64_t>(net.flow.size()) < 6 * n) return 24;
  const auto terminals = std::ranges::count_if(net.terminal, [](double t) { return t != 0.0; });
  if (terminals < n / 5000) return 0;
  return terminals < n / 100 ? 8 : 24;
}

// Looks at arcs and vertices that so many looks at the whole graph take.
std::int64_t budget_of(const ResidualNetwork& net, std::int64_t rounds) {
  return rounds *
         (static_cast<std::int64_t>(net.flow.size()) + 12 * std::int64_t{net.vertex_count()});
}

// Returns the method that finished.
FlowMethod make_largest(ResidualNetwork& net, FlowMethod method, std::string& sentence,
                        const RunContext& run) {
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  if (method == FlowMethod::incremental_search) {
    detail::run_incremental_search(net, no_limit, run);
    sentence = "incremental-search, as asked";
    return method;
  }
  if (method == FlowMethod::automatic) {
    const std::int64_t rounds = search_rounds(net);
    if (rounds > 0 && detail::run_incremental_search(net, budget_of(net, rounds), run)) {
      sentence = "incremental-search: paths were short enough to end within its budget";
      return FlowMethod::incremental_search;
    }
    sentence = rounds > 0
                   ? "push-relabel: took over from incremental-search, whose budget was spent"
                   : "push-relabel: terminals are few and far apart";
  } else {
    sentence = "push-relabel, as asked";
  }
  detail::run_push_relabel(net, run);
  return FlowMethod::push_relabel;
}

}  // namespace

std::string_view to_string(FlowMethod method) { return names_of<FlowMethod>.name(method); }

FlowMethod parse_flow_method(std::string_view name) { return names_of<FlowMethod>.value(name); }

MaxFlow::MaxFlow(const Graph& graph, std::span<const double> source, std::span<const double> sink,
                 MaxFlowOptions options)
    : options_(options) {
  if (graph.neighbor_array().size() >= detail::no_arc - 1)
    refuse("more than 2^31 edges; this method holds their places in 32 bits");
  network_ = std::make_unique<ResidualNetwork>(graph);
  reset(source, sink);
}

void MaxFlow::reset(std::span<const double> source, std::span<const double> sink) {
  ResidualNetwork& net = *network_;
  const auto n = index(net.vertex_count());
  if (source.size() != n || sink.size() != n)
    refuse(std::to_string(source.size()) + " source and " + std::to_string(sink.size()) +
           " sink capacities: must be one for each of the " + std::to_string(n) + " vertices");
  net.clear();
  solved_ = false;
  double total = net.capacity_sum;
  for (VertexId v = 0; v < net.vertex_count(); ++v) {
    check_terminals(v, source[index(v)], sink[index(v)]);
    if (source[index(v)] < infinity) total += source[index(v)];
    if (sink[index(v)] < infinity) total += sink[index(v)];
    net.direct += std::min(source[index(v)], sink[index(v)]);
    net.terminal[index(v)] = source[index(v)] - sink[index(v)];
  }
  if (!std::isfinite(total)) refuse("the sum of all capacities overflows a double; rescale them");
  net.surplus = net.terminal;
}

void MaxFlow::set_capacity(EdgeIndex e, double value) {
  ResidualNetwork& net = *network_;
  if (e < 0 || static_cast<std::size_t>(e) >= net.mirror.size())
    refuse("edge entry " + std::to_string(e) + ": must be one of the " +
           std::to_string(net.mirror.size()) + " of the graph");
  if (!(value >= 0.0) || value == infinity)
    refuse("edge capacity " + to_text(value) + ": must be finite and >= 0");
  net.set_capacity(static_cast<Arc>(e), value);
  if (!std::isfinite(net.capacity_sum)) refuse("the sum of all capacities overflows a double");
}

MaxFlow::~MaxFlow() = default;
MaxFlow::MaxFlow(MaxFlow&&) noexcept = default;
MaxFlow& MaxFlow::operator=(MaxFlow&&) noexcept = default;

void MaxFlow::add(VertexId v, double source, double sink) {
  ResidualNetwork& net = *network_;
  if (v < 0 || v >= net.vertex_count())
    refuse("vertex " + std::to_string(v) + ": must be one of the " +
           std::to_string(net.vertex_count()) + " vertices");
  check_terminals(v, source, sink);
  double& terminal = net.terminal[index(v)];
  if ((terminal == infinity && sink == infinity) || (terminal == -infinity && source == infinity))
    refuse("vertex " + std::to_string(v) + ": is on the other side already");
  solved_ = false;
  // `direct` holds what is already common to both sides; the new common part is what grows it.
  const double from_source = std::max(terminal, 0.0) + source;
  const double to_sink = std::max(-terminal, 0.0) + sink;
  net.direct += std::min(from_source, to_sink);
  const double change = (from_source - to_sink) - terminal;
  terminal = from_source - to_sink;
  net.surplus[index(v)] = std::isfinite(terminal) ? net.surplus[index(v)] + change : terminal;
}

MaxFlowReport MaxFlow::solve(const RunContext& run) {
  ResidualNetwork& net = *network_;
  MaxFlowReport report;
  run.report_progress("maximum flow");
  solved_ = false;
  report.used = make_largest(net, options_.method, report.sentence, run);
  certify(report, run);
  const bool proven = std::abs(report.cut - report.flow) <= digits_of_proof * report.cut;
  if (report.used == FlowMethod::push_relabel && !proven) find_lost_digits(report, run);
  solved_ = true;
  return report;
}

void MaxFlow::certify(MaxFlowReport& report, const RunContext& run) {
  const ResidualNetwork& net = *network_;
  smallest_ = ResidualReach(net, 1.0).find();
  for (std::size_t v = 0; v < smallest_.size(); ++v)
    GSSL_ASSERT(smallest_[v] == 0 || !(net.surplus[v] < 0.0));  // else the flow was not largest
  report.flow = flow_value(net, run.thread_count());
  report.cut = cut_value(smallest_, run.thread_count());
}

// Push-relabel sends more over heavy edges than a light cut behind them lets through, and takes it
// back; the rounding of that stays. Paths never carry more than arrives.
void MaxFlow::find_lost_digits(MaxFlowReport& report, const RunContext& run) {
  ResidualNetwork& net = *network_;
  std::ranges::fill(net.flow, 0.0);
  net.surplus = net.terminal;
  if (detail::run_incremental_search(net, budget_of(net, rounds_of_proof), run)) {
    report.used = FlowMethod::incremental_search;
    report.sentence += "; incremental-search began anew for the digits that rounding took";
  } else {
    detail::run_push_relabel(net, run);
  }
  certify(report, run);
}

std::vector<unsigned char> MaxFlow::source_side(CutSide which) const {
  if (!solved_)
    throw Error(ErrorCode::usage, "max flow: source_side() needs the largest flow: call solve()");
  if (which == CutSide::smallest_source) return smallest_;
  std::vector<unsigned char> side = ResidualReach(*network_, -1.0).find();
  for (unsigned char& inside : side) inside = inside != 0 ? 0 : 1;
  return side;
}

double MaxFlow::cut_value(std::span<const unsigned char> side, int threads) const {
  const ResidualNetwork& net = *network_;
  if (side.size() != net.surplus.size())
    throw Error(ErrorCode::usage, "max flow: a side of " + std::to_string(side.size()) +
                                      " entries: must be one for each of the " +
                                      std::to_string(net.surplus.size()) + " vertices");
  return net.direct +
         blocked_sum(net.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
           double sum = 0.0;
           for (std::int64_t v = begin; v < end; ++v) {
             const double terminal = net.terminal[static_cast<std::size_t>(v)];
             if (side[static_cast<std::size_t>(v)] == 0) {
               sum += std::max(terminal, 0.0);
               continue;
             }
             sum += std::max(-terminal, 0.0);
             for (Arc e = net.row_begin(static_cast<VertexId>(v));
                  e < net.row_end(static_cast<VertexId>(v)); ++e)
               if (side[index(net.head[e])] == 0) sum += net.capacity(e);
           }
           return sum;
         });
}

std::size_t MaxFlow::memory_bytes() const {
  const ResidualNetwork& net = *network_;
  return net.mirror.size() * sizeof(Arc) + smallest_.size() +
         (net.flow.size() + net.terminal.size() + net.surplus.size()) * sizeof(double);
}

}  // namespace gssl
