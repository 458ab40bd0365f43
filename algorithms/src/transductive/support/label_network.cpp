#include "label_network.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/solve/cost_model.hpp"

namespace gssl::detail {
namespace {

// Rows whose sums stay in the cache.
constexpr std::int64_t rows_at_once = 512;

// S from K of all labels but the first: rows add up to 0. Nothing where K is not positive definite.
std::optional<Block> laplacian_from(const Eigen::MatrixXd& k) {
  const Eigen::LLT<Eigen::MatrixXd> factor(k);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(k.rows(), k.cols()));
  if (!inverse.allFinite()) return std::nullopt;
  Block s(k.rows() + 1, k.cols() + 1);
  for (Eigen::Index i = 0; i < k.rows(); ++i) {
    for (Eigen::Index j = 0; j < k.cols(); ++j) {
      const double value = 0.5 * (inverse(i, j) + inverse(j, i));
      s(i + 1, j + 1) = value;
      s(i + 1, 0) -= value;
    }
    s(0, i + 1) = s(i + 1, 0);
    s(0, 0) -= s(i + 1, 0);
  }
  return s;
}

}  // namespace

LabelNetwork::LabelNetwork(const UnitPotentials& potentials, const LabelGroups& groups,
                           const LabeledSet& labeled, double resistance)
    : potentials_(potentials),
      groups_(groups),
      labeled_(labeled),
      resistance_(resistance),
      labels_(index(groups.count())) {
  for (std::size_t i = 0; i < labeled.size(); ++i)
    labels_[index(groups.of(labeled.vertices()[i]))].push_back(i);
  for (const std::vector<std::size_t>& labels : labels_) {
    const std::size_t r = labels.front();
    const auto side = static_cast<Eigen::Index>(labels.size()) - 1;
    Eigen::MatrixXd k(side, side);
    for (Eigen::Index i = 0; i < side; ++i) {
      const std::size_t a = labels[index(i + 1)];
      for (Eigen::Index j = 0; j <= i; ++j) {
        const std::size_t b = labels[index(j + 1)];
        k(i, j) = k(j, i) = (potential(a, b) - potential(a, r)) +
                            (potential(r, r) - potential(r, b)) + (i == j ? 2.0 : 1.0) * resistance;
      }
    }
    std::optional<Block> s = laplacian_from(k);
    usable_ = usable_ && s.has_value();
    laplacian_.push_back(s ? *std::move(s) : Block());
  }
}

double LabelNetwork::potential(std::size_t i, std::size_t j) const {
  return potentials_.of(labeled_.vertices()[j])[index(labeled_.vertices()[i])];
}

Block LabelNetwork::currents(const Block& y) const {
  Block current(y.rows(), y.columns());
  for (std::size_t g = 0; g < labels_.size(); ++g) {
    const std::vector<std::size_t>& labels = labels_[g];
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t j = 0; j < labels.size(); ++j) {
        const double s = laplacian_[g](static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
        const auto from = y.row(static_cast<std::int64_t>(labels[j]));
        const auto to = current.row(static_cast<std::int64_t>(labels[i]));
        for (std::size_t c = 0; c < to.size(); ++c) to[c] += s * from[c];
      }
  }
  return current;
}

// c = y_r − a_r·resistance − Σ G_ri a_i for the first label r of each group.
Block LabelNetwork::constants(const Block& y, const Block& current) const {
  Block constant(std::ssize(labels_), y.columns());
  for (std::size_t g = 0; g < labels_.size(); ++g) {
    const std::size_t r = labels_[g].front();
    const auto row = constant.row(static_cast<std::int64_t>(g));
    std::ranges::copy(y.row(static_cast<std::int64_t>(r)), row.begin());
    const auto own = current.row(static_cast<std::int64_t>(r));
    for (std::size_t c = 0; c < row.size(); ++c) row[c] -= resistance_ * own[c];
    for (const std::size_t i : labels_[g]) {
      const auto sent = current.row(static_cast<std::int64_t>(i));
      for (std::size_t c = 0; c < row.size(); ++c) row[c] -= potential(r, i) * sent[c];
    }
  }
  return constant;
}

Block spread(const UnitPotentials& potentials, const LabeledSet& labeled, const Block& current,
             VertexId vertex_count, int threads) {
  const std::int64_t columns = current.columns();
  Block x(vertex_count, columns);
  parallel_blocks(
      vertex_count, threads,
      [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t length = end - begin;
        std::vector<double> sums(index(columns * length), 0.0);
        for (std::size_t i = 0; i < labeled.size(); ++i) {
          const double* column = potentials.of(labeled.vertices()[i]).data() + begin;
          for (std::int64_t c = 0; c < columns; ++c) {
            const double sent = current(static_cast<std::int64_t>(i), c);
            double* sum = sums.data() + c * length;
            for (std::int64_t v = 0; v < length; ++v) sum[v] += sent * column[v];
          }
        }
        for (std::int64_t v = 0; v < length; ++v)
          for (std::int64_t c = 0; c < columns; ++c) x(begin + v, c) = sums[index(c * length + v)];
      },
      rows_at_once);
  return x;
}

Block LabelNetwork::extension(const Block& y, const Block& current, int threads) const {
  const auto n = static_cast<VertexId>(groups_.degrees().size());
  Block x = spread(potentials_, labeled_, current, n, threads);
  const Block constant = constants(y, current);
  groups_.for_members(threads, [&](VertexId v) {
    const auto add = constant.row(groups_.of(v));
    const auto row = x.row(v);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] += add[c];
  });
  return x;
}

std::vector<double> LabelNetwork::conductances() const {
  std::vector<double> found(labeled_.size(), 0.0);
  for (std::size_t g = 0; g < labels_.size(); ++g)
    for (std::size_t i = 0; i < labels_[g].size(); ++i)
      found[labels_[g][i]] =
          laplacian_[g](static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
  return found;
}

std::vector<double> LabelNetwork::totals() const {
  std::vector<double> found(labeled_.size(), 0.0);
  for (std::size_t g = 0; g < labels_.size(); ++g) {
    const std::vector<std::size_t>& labels = labels_[g];
    const std::span<const VertexId> members = groups_.members(static_cast<int>(g));
    const auto size = static_cast<double>(members.size());
    found[labels.front()] += size;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const std::span<const double> column = potentials_.of(labeled_.vertices()[labels[j]]);
      double sum = 0.0;
      for (const VertexId v : members) sum += column[index(v)];
      sum -= size * potential(labels.front(), labels[j]);
      for (std::size_t i = 0; i < labels.size(); ++i)
        found[labels[i]] +=
            sum * laplacian_[g](static_cast<std::int64_t>(j), static_cast<std::int64_t>(i));
    }
  }
  return found;
}

namespace {

struct Squares {
  std::vector<double> of;
  Squares& operator+=(const Squares& other) {
    of.resize(std::max(of.size(), other.of.size()), 0.0);
    for (std::size_t c = 0; c < other.of.size(); ++c) of[c] += other.of[c];
    return *this;
  }
};

std::vector<double> roots(Squares squares, std::int64_t columns) {
  squares.of.resize(index(columns), 0.0);
  for (double& value : squares.of) value = std::sqrt(value);
  return std::move(squares.of);
}

// Vertex → place in the labeled set, −1 elsewhere.
std::vector<std::int32_t> places(const LabeledSet& labeled, VertexId n) {
  std::vector<std::int32_t> place(index(n), -1);
  for (std::size_t i = 0; i < labeled.size(); ++i)
    place[index(labeled.vertices()[i])] = static_cast<std::int32_t>(i);
  return place;
}

}  // namespace

std::vector<double> current_errors(const Graph& graph, const LabelGroups& groups,
                                   const LabeledSet& labeled, const Block& x, const Block& current,
                                   int threads) {
  const std::vector<std::int32_t> place = places(labeled, graph.vertex_count());
  const std::int64_t columns = x.columns();
  auto squares =
      blocked_sum(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
        Squares sum{std::vector<double>(index(columns), 0.0)};
        std::vector<double> flow(index(columns));
        for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
          if (groups.of(v) < 0) continue;
          std::ranges::fill(flow, 0.0);
          const auto own = x.row(v);
          graph.visit_row(v, [&](VertexId u, double w) {
            const auto other = x.row(u);
            for (std::size_t c = 0; c < flow.size(); ++c) flow[c] += w * (own[c] - other[c]);
          });
          for (std::size_t c = 0; c < flow.size(); ++c) {
            const double wanted =
                place[index(v)] < 0 ? 0.0 : current(place[index(v)], static_cast<std::int64_t>(c));
            sum.of[c] += (flow[c] - wanted) * (flow[c] - wanted);
          }
        }
        return sum;
      });
  return roots(std::move(squares), columns);
}

std::vector<double> coupling_norms(const Graph& graph, const LabeledSet& labeled, const Block& y) {
  const std::vector<std::int32_t> place = places(labeled, graph.vertex_count());
  Squares squares{std::vector<double>(index(y.columns()), 0.0)};
  std::vector<VertexId> beside;
  for (const VertexId v : labeled.vertices())
    for (const VertexId u : graph.neighbors(v))
      if (place[index(u)] < 0) beside.push_back(u);
  std::ranges::sort(beside);
  beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
  std::vector<double> flow(index(y.columns()));
  for (const VertexId v : beside) {
    std::ranges::fill(flow, 0.0);
    graph.visit_row(v, [&](VertexId u, double w) {
      if (place[index(u)] < 0) return;
      const auto value = y.row(place[index(u)]);
      for (std::size_t c = 0; c < flow.size(); ++c) flow[c] += w * value[c];
    });
    for (std::size_t c = 0; c < flow.size(); ++c) squares.of[c] += flow[c] * flow[c];
  }
  return roots(std::move(squares), y.columns());
}

void report_shared(double residual, Report& report) {
  report.requested = to_string(SolverKind::automatic);
  report.used = "shared-factor";
  report.system_numbers().relative_residual = residual;
  report.sentence = "one exact factor for all label sets of the graph, at relative residual " +
                    to_brief_text(residual);
}

bool few_for_network(const UnitPotentials& potentials, const LabeledSet& labeled) {
  const auto labels = static_cast<double>(labeled.size());
  const double columns = labeled.is_regression() ? 1.0 : labeled.class_count();
  const double rows = potentials.rows();
  return labels * labels * labels + 2.0 * labels * columns * rows <=
         cost_model().shared_flops * columns * rows;
}

}  // namespace gssl::detail
