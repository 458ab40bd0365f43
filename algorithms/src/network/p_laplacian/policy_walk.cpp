#include "policy_walk.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace gssl::detail {

namespace {

using Index = std::size_t;

constexpr double most_nonzeros = 4e8;

}  // namespace

PolicyWalk::PolicyWalk(const TugEquation& equation, double most_flops, const RunContext& run)
    : equation_(equation), most_flops_(most_flops) {
  if (equation.mixes()) factor_ = make_factor(equation.pattern(), run);
}

std::unique_ptr<ChainFactor> PolicyWalk::make_factor(const Graph& pattern,
                                                     const RunContext& run) const {
  return make_chain_factor(pattern, run, [&](const FactorSize& size) {
    return size.flops <= most_flops_ && size.nonzeros <= most_nonzeros;
  });
}

bool PolicyWalk::factor(const Policy& policy, const RunContext& run) {
  return equation_.mixes() ? factor_pattern(policy, run) : factor_pulls(policy, run);
}

bool PolicyWalk::factor_pattern(const Policy& policy, const RunContext& run) {
  if (!factor_) return false;
  const Index n = equation_.rows();
  rates_.assign(equation_.pattern().neighbor_array().size(), 0.0);
  ends_.assign(n, 0.0);
  for (Index r = 0; r < n; ++r) {
    const auto put = [&](EdgeIndex e, double rate) {
      const EdgeIndex place = equation_.place(e);
      (place < 0 ? ends_[row_of(r)] : rates_[static_cast<Index>(place)]) += rate;
    };
    for (EdgeIndex e = equation_.begin(r); e < equation_.end(r); ++e)
      put(e, equation_.chance(r, e));
    for (const EdgeIndex e : {policy.most[r], policy.least[r]}) put(e, equation_.pull(e));
  }
  return factor_->compute(rates_, ends_, run);
}

// Calls body(y, e) for each pull of row r along edge e to another row y.
template <class Body>
void PolicyWalk::each_pull(Index r, Body&& body) const {
  for (const EdgeIndex e : {policy_.most[r], policy_.least[r]}) {
    const auto y = static_cast<Index>(equation_.neighbor(e));
    if (y < equation_.rows()) body(y, e);
  }
}

// Rows that nobody is pulled to, again and again; the others stay in the factor.
void PolicyWalk::read_off_rows() {
  const Index n = equation_.rows();
  std::vector<VertexId> pulled(n, 0);
  for (Index r = 0; r < n; ++r) each_pull(r, [&](Index y, EdgeIndex) { ++pulled[y]; });
  read_off_.clear();
  for (Index r = 0; r < n; ++r)
    if (pulled[r] == 0) read_off_.push_back(static_cast<VertexId>(r));
  for (Index head = 0; head < read_off_.size(); ++head)
    each_pull(static_cast<Index>(read_off_[head]), [&](Index y, EdgeIndex) {
      if (--pulled[y] == 0) read_off_.push_back(static_cast<VertexId>(y));
    });
  std::ranges::reverse(read_off_);
  kept_.clear();
  number_.assign(n, no_vertex);
  for (Index r = 0; r < n; ++r) {
    if (pulled[r] == 0) continue;
    number_[r] = static_cast<VertexId>(kept_.size());
    kept_.push_back(static_cast<VertexId>(r));
  }
}

// Both directions of every pull among the kept rows: those of row k from start[k] to start[k + 1].
// The rates of pulls to given vertices go to the ends.
PolicyWalk::PullRows PolicyWalk::pulls_of_kept() {
  PullRows rows;
  rows.start.assign(kept_.size() + 1, 0);
  for (const VertexId r : kept_)
    each_pull(static_cast<Index>(r), [&](Index y, EdgeIndex) {
      ++rows.start[static_cast<Index>(number_[static_cast<Index>(r)]) + 1];
      ++rows.start[static_cast<Index>(number_[y]) + 1];
    });
  std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
  rows.pulls.resize(static_cast<Index>(rows.start.back()));
  std::vector<EdgeIndex> next(rows.start.begin(), rows.start.end() - 1);
  ends_.assign(kept_.size(), 0.0);
  for (Index k = 0; k < kept_.size(); ++k) {
    const auto r = static_cast<Index>(kept_[k]);
    for (const EdgeIndex e : {policy_.most[r], policy_.least[r]})
      if (static_cast<Index>(equation_.neighbor(e)) >= equation_.rows())
        ends_[k] += equation_.pull(e);
    each_pull(r, [&](Index y, EdgeIndex e) {
      const VertexId other = number_[y];
      rows.pulls[static_cast<Index>(next[k]++)] = {other, equation_.pull(e)};
      rows.pulls[static_cast<Index>(next[static_cast<Index>(other)]++)] = {static_cast<VertexId>(k),
                                                                           0.0};
    });
  }
  return rows;
}

// The graph of the pulls, each neighbor once; its rates are the sums of those of equal pulls.
Graph PolicyWalk::graph_of(PullRows rows) {
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors;
  rates_.clear();
  for (Index k = 0; k < kept_.size(); ++k) {
    const std::span row(rows.pulls.data() + rows.start[k], rows.pulls.data() + rows.start[k + 1]);
    std::ranges::sort(row, {}, &Pull::to);
    for (const Pull& pull : row) {
      if (static_cast<EdgeIndex>(neighbors.size()) > offsets.back() &&
          neighbors.back() == pull.to) {
        rates_.back() += pull.rate;
        continue;
      }
      neighbors.push_back(pull.to);
      rates_.push_back(pull.rate);
    }
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  }
  return Graph(std::move(offsets), std::move(neighbors), {});
}

bool PolicyWalk::factor_pulls(const Policy& policy, const RunContext& run) {
  policy_ = policy;
  read_off_rows();
  PullRows rows = pulls_of_kept();
  factor_.reset();
  core_ = graph_of(std::move(rows));
  factor_ = make_factor(core_, run);
  return factor_ && factor_->compute(rates_, ends_, run);
}

void PolicyWalk::solve(std::span<const double> b, std::span<double> x) const {
  if (equation_.mixes()) {
    std::vector<double> y(b.size());
    for (Index r = 0; r < b.size(); ++r) y[row_of(r)] = b[r];
    factor_->solve(y, y);
    for (Index r = 0; r < b.size(); ++r) x[r] = y[row_of(r)];
    return;
  }
  std::vector<double> y(kept_.size());
  for (Index k = 0; k < kept_.size(); ++k) y[k] = b[static_cast<Index>(kept_[k])];
  factor_->solve(y, y);
  for (Index k = 0; k < kept_.size(); ++k) x[static_cast<Index>(kept_[k])] = y[k];
  for (const VertexId v : read_off_) {
    const auto r = static_cast<Index>(v);
    double sum = b[r], rate = 0.0;
    for (const EdgeIndex e : {policy_.most[r], policy_.least[r]}) {
      const auto to = static_cast<Index>(equation_.neighbor(e));
      rate += equation_.pull(e);
      if (to < x.size()) sum += equation_.pull(e) * x[to];
    }
    x[r] = sum / rate;
  }
}

}  // namespace gssl::detail
