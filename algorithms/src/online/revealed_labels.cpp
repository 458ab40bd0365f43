#include "online/revealed_labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/solve/cost_model.hpp"

namespace gssl::detail {
namespace {

// Entries of a factor that the search for a bound may go through.
constexpr double most_exact_cover_work = 2e9;
// A graph with fewer entries is too small to share between threads.
constexpr EdgeIndex shared_entries = 50'000;
// A resistance that is less than this share of what it was subtracted from has lost its digits.
constexpr double lost_share = 1e-7;

// In 16 partial sums, which the compiler adds side by side.
double dot(const double* x, const double* y, std::size_t length) {
  double sum[16] = {};
  std::size_t i = 0;
  for (; i + 16 <= length; i += 16)
    for (std::size_t j = 0; j < 16; ++j) sum[j] += x[i + j] * y[i + j];
  for (; i < length; ++i) sum[i % 16] += x[i] * y[i];
  for (std::size_t half = 8; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) sum[j] += sum[j + half];
  return sum[0];
}

}  // namespace

RevealedLabels::RevealedLabels(std::shared_ptr<const Graph> graph, std::int64_t columns,
                               double entries, const RunContext& run)
    : graph_(std::move(graph)),
      entries_(entries),
      run_(run),
      components_(connected_components(*graph_)),
      label_of_(index(graph_->vertex_count()), -1),
      values_(graph_->vertex_count(), columns) {
  prepare();
  factor();
}

RevealedLabels::RevealedLabels(std::shared_ptr<const Graph> graph, std::int64_t columns,
                               double entries, const Record& record, const RunContext& run)
    : graph_(std::move(graph)),
      entries_(entries),
      run_(run),
      components_(connected_components(*graph_)),
      label_of_(index(graph_->vertex_count()), -1),
      values_(graph_->vertex_count(), columns) {
  prepare();
  const std::vector<std::int32_t>& vertices = record.integers("labeled");
  const auto count = static_cast<std::int64_t>(vertices.size());
  const std::vector<double>& given = record.reals("label_values", count * columns);
  const std::int64_t ground = record.integer("ground");
  const std::int64_t factorizations = record.integer("factorizations");
  if (ground < 0 || ground > count)
    throw Error(ErrorCode::bad_data,
                "ground " + std::to_string(ground) + ": must be at most the number of labels");
  for (std::int64_t i = 0; i < count; ++i) {
    const VertexId v = vertices[index(i)];
    if (v < 0 || v >= graph_->vertex_count() || is_labeled(v))
      throw Error(ErrorCode::bad_data, "labeled vertex " + std::to_string(v) +
                                           ": must be one of the graph's, and once: is it the "
                                           "graph that the session was saved with?");
    if (i == ground) factor();
    const std::span<const double> value(given.data() + i * columns, index(columns));
    if (i < ground) {
      append(v, value);
    } else {
      look_at(v);
      border(v, value);
    }
  }
  if (ground == count) factor();
  factorizations_ = factorizations;
  const std::vector<double>& energy = record.reals("energy", 2);
  energy_ = energy[0];
  energy_carry_ = energy[1];
}

void RevealedLabels::prepare() {
  value_.assign(index(columns()), 0.0);
  if (graph_->edge_count() < shared_entries) run_.threads = 1;
}

void RevealedLabels::save(Record& record) const {
  record.put("labeled", vertex_);
  record.put("label_values",
             std::vector<double>(values_.data(), values_.data() + count() * columns()));
  record.put("ground", ground_count_);
  record.put("factorizations", factorizations_ + (factored_ ? 0 : 1));
  record.put("energy", std::vector<double>{energy_, energy_carry_});
}

// All labels so far become ground. Where the run is stopped before that is done, the next look tries
// again, and all that save() writes is as if it were done.
void RevealedLabels::factor() {
  factored_ = false;
  std::vector<bool> ground(label_of_.size());
  for (const VertexId v : vertex_) ground[index(v)] = true;
  factor_.reset();
  network_ = contract(*graph_, ground);
  ground_count_ = count();
  grounded_.assign(index(components_.count), false);
  for (const VertexId v : vertex_) grounded_[index(components_.of[index(v)])] = true;
  origin_of_.assign(index(components_.count), -1);
  origins_.clear();
  bordered_.clear();
  work_ = 0.0;
  look_ = 0;
  if (network_.ground != no_vertex || count() == 0) make_factor();
  factored_ = true;
  ++factorizations_;
}

void RevealedLabels::make_factor() {
  FactorSize size;
  factor_ = make_network_factor(
      network_.graph, run_,
      [&](const FactorSize& needed) {
        size = needed;
        return needed.nonzeros <= (factorizations_ > 0 ? most_entries : entries_);
      },
      network_.ground);
  if (!factor_) {
    run_.throw_if_stopped("seminorm", "before the graph was factored");
    throw Error(ErrorCode::out_of_memory,
                "seminorm: the factor of this graph has " + std::to_string(size.nonzeros) +
                    " entries: must be at most " + to_brief_text(entries_) + "; use engine=local");
  }
  tree_ = factor_->tree();
  marked_.assign(tree_.parent.size(), 0);
  factor_work_ = size.flops / 4.0 +
                 cost_model().reordering * static_cast<double>(network_.graph.vertex_count() +
                                                               network_.graph.edge_count());
  solve_for_base();
}

void RevealedLabels::solve_for_base() {
  Block b(network_.graph.vertex_count(), columns());
  for (const VertexId s : vertex_)
    graph_->visit_row(s, [&](VertexId u, double weight) {
      if (is_labeled(u)) return;
      for (std::int64_t k = 0; k < columns(); ++k)
        b(network_.node[index(u)], k) += weight * label(s)[index(k)];
    });
  if (count() > 0)
    factor_->solve(b, base_, run_);
  else
    base_ = std::move(b);
}

const RevealedLabels::Origin* RevealedLabels::origin(VertexId component) const {
  const std::int32_t place = origin_of_[index(component)];
  return place < 0 ? nullptr : &origins_[index(place)];
}

void RevealedLabels::mark_path(VertexId node) {
  ++look_;
  for (VertexId k = tree_.node_of[index(node)]; k != no_vertex; k = tree_.parent[index(k)])
    marked_[index(k)] = look_;
}

// Of half_, whose path is marked, with the half column of another node.
double RevealedLabels::product(VertexId node, const std::vector<double>& half) const {
  VertexId k = tree_.node_of[index(node)];
  while (k != no_vertex && marked_[index(k)] != look_) k = tree_.parent[index(k)];
  if (k == no_vertex) return 0.0;
  const std::size_t shared = index(tree_.length[index(k)]);
  return dot(half.data() + (half.size() - shared), half_.data() + (half_.size() - shared), shared);
}

void RevealedLabels::look_at(VertexId v) {
  if (!factored_ || (work_ > 0.0 && work_ >= factor_work_)) factor();
  const VertexId component = components_.of[index(v)];
  const Origin* from = origin(component);
  looked_at_ = v;
  look_work_ = 0.0;
  if (is_labeled(v)) {
    std::ranges::copy(label(v), value_.begin());
    resistance_ = 0.0;
    return;
  }
  if (!grounded(component) && from == nullptr) {
    std::ranges::fill(value_, 0.0);
    resistance_ = std::numeric_limits<double>::infinity();
    return;
  }
  const VertexId node = network_.node[index(v)];
  factor_->half_column(node, half_);
  mark_path(node);
  scale_ = resistance_ = dot(half_.data(), half_.data(), half_.size());
  origin_product_ = 0.0;
  std::span<const double> start = base_.row(node);
  if (from != nullptr) {
    origin_product_ = product(from->node, from->half);
    scale_ = std::max(resistance_, from->square);
    resistance_ = (resistance_ - origin_product_) + (from->square - origin_product_);
    start = label(vertex_[index(from->number)]);
  }
  std::ranges::copy(start, value_.begin());
  z_.assign(bordered_.size(), 0.0);
  for (std::size_t i = 0; i < bordered_.size(); ++i) {
    const Bordered& other = bordered_[i];
    double entry = 0.0;
    if (other.component == component) {
      entry = product(other.node, other.half);
      look_work_ += static_cast<double>(std::min(other.half.size(), half_.size()));
      if (from != nullptr)
        entry = (entry - origin_product_) + (from->square - other.origin_product);
    }
    z_[i] = (entry - dot(other.row.data(), z_.data(), i)) / other.row[i];
    resistance_ -= z_[i] * z_[i];
    for (std::int64_t k = 0; k < columns(); ++k) value_[index(k)] += z_[i] * other.a[index(k)];
  }
  look_work_ += 0.5 * static_cast<double>(z_.size()) * static_cast<double>(z_.size());
}

void RevealedLabels::append(VertexId v, std::span<const double> value) {
  label_of_[index(v)] = static_cast<std::int32_t>(count());
  std::ranges::copy(value, values_.row(count()).begin());
  vertex_.push_back(v);
}

void RevealedLabels::add_energy(double amount) {
  const double sum = energy_ + amount;
  energy_carry_ += energy_ >= amount ? (energy_ - sum) + amount : (amount - sum) + energy_;
  energy_ = sum;
}

// A row of R for the vertex looked at, or the origin of its component.
void RevealedLabels::border(VertexId v, std::span<const double> value) {
  const VertexId component = components_.of[index(v)];
  const VertexId node = network_.node[index(v)];
  if (std::isinf(resistance_)) {
    Origin first{.node = node, .number = count(), .half = {}, .square = 0.0};
    factor_->half_column(node, first.half);
    first.square = dot(first.half.data(), first.half.data(), first.half.size());
    origin_of_[index(component)] = static_cast<std::int32_t>(origins_.size());
    origins_.push_back(std::move(first));
  } else {
    Bordered added{.node = node,
                   .component = component,
                   .half = half_,
                   .origin_product = origin_product_,
                   .row = z_,
                   .a = {}};
    const double pivot = std::sqrt(resistance_);
    added.row.push_back(pivot);
    for (std::int64_t k = 0; k < columns(); ++k) {
      added.a.push_back((value[index(k)] - value_[index(k)]) / pivot);
      add_energy(added.a.back() * added.a.back());
    }
    bordered_.push_back(std::move(added));
    work_ += look_work_;
  }
  append(v, value);
}

void RevealedLabels::reveal(VertexId v, std::span<const double> value) {
  if (looked_at_ != v) look_at(v);
  if (resistance_ < lost_share * scale_ && ground_count_ < count()) {
    factor();
    look_at(v);
  }
  border(v, value);
  looked_at_ = no_vertex;
}

// w = base + Σ α_i G'(·, v_i), α = R⁻ᵀa; with origins, G' takes the origin's column and its value
// at the origin away, which leaves a shift that makes w right at the origin.
Block RevealedLabels::extension() const {
  Block w(graph_->vertex_count(), columns());
  Block x;
  if (factor_) {
    Block alpha(static_cast<std::int64_t>(bordered_.size()), columns());
    for (std::int64_t i = alpha.rows() - 1; i >= 0; --i)
      for (std::int64_t k = 0; k < columns(); ++k) {
        double sum = bordered_[index(i)].a[index(k)];
        for (std::int64_t j = i + 1; j < alpha.rows(); ++j)
          sum -= bordered_[index(j)].row[index(i)] * alpha(j, k);
        alpha(i, k) = sum / bordered_[index(i)].row[index(i)];
      }
    Block b(network_.graph.vertex_count(), columns());
    for (std::int64_t i = 0; i < alpha.rows(); ++i) {
      const Bordered& label = bordered_[index(i)];
      const Origin* from = origin(label.component);
      for (std::int64_t k = 0; k < columns(); ++k) {
        b(label.node, k) += alpha(i, k);
        if (from != nullptr) b(from->node, k) -= alpha(i, k);
      }
    }
    factor_->solve(b, x, run_);
  }
  for (VertexId v = 0; v < graph_->vertex_count(); ++v) {
    const VertexId component = components_.of[index(v)];
    const Origin* from = origin(component);
    for (std::int64_t k = 0; k < columns(); ++k) {
      if (is_labeled(v)) {
        w(v, k) = label(v)[index(k)];
      } else if (from != nullptr) {
        w(v, k) = values_(from->number, k) + (x(network_.node[index(v)], k) - x(from->node, k));
      } else if (grounded(component)) {
        w(v, k) = base_(network_.node[index(v)], k) + x(network_.node[index(v)], k);
      }
    }
  }
  return w;
}

void RevealedLabels::prove(OnlineReport& report, bool two_classes) const {
  if (factored_) report.certificates.push_back({"energy", {energy_sum(*graph_, extension(), 2.0)}});
  report.certificates.push_back({"energy_of_trials", {energy()}});
  report.certificates.push_back({"factorizations", {static_cast<double>(factorizations_)}});
  bound_by_labels(report, count());
  if (!cover_) cover_.emplace(*graph_, run_);
  const auto most =
      static_cast<std::int64_t>(most_exact_cover_work / (1.0 + cover_->factor_entries()));
  const CoverBound best = best_cover_bound(*cover_, two_classes ? energy() : 2.0 * energy(),
                                           std::max<std::int64_t>(most, 1));
  if (std::isinf(best.bound)) return;
  report.add_bound(best.bound * (1.0 + bound_rounding),
                   "k + 2 R_k E: k balls of resistance R_k, energy E");
  report.certificates.push_back({"centers", {static_cast<double>(best.centers)}});
  report.certificates.push_back({"radius", {best.radius}});
}

}  // namespace gssl::detail
