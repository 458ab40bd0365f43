#include "online/relaxed_values.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl::detail {

RelaxedValues::RelaxedValues(const Graph& graph, const std::vector<double>& degree,
                             std::int64_t columns)
    : graph_(&graph),
      degree_(&degree),
      x_(graph.vertex_count(), columns),
      r_(graph.vertex_count(), columns),
      given_(index(graph.vertex_count()), 0),
      waits_(index(graph.vertex_count()), 0) {}

void RelaxedValues::set(std::span<const VertexId> vertices, std::span<const double> value) {
  for (const VertexId v : vertices) std::ranges::copy(value, x_.row(v).begin());
}

void RelaxedValues::give(VertexId v, std::span<const double> value) {
  given_[index(v)] = 1;
  std::ranges::fill(r_.row(v), 0.0);
  const std::span<double> here = x_.row(v);
  for (std::int64_t k = 0; k < columns(); ++k) {
    const double change = value[index(k)] - here[index(k)];
    here[index(k)] = value[index(k)];
    if (change == 0.0) continue;
    graph_->visit_row(v, [&](VertexId u, double weight) {
      if (given_[index(u)] != 0) return;
      r_(u, k) += weight * change;
      wait(u);
    });
  }
}

void RelaxedValues::wait(VertexId u) {
  if (waits_[index(u)] != 0) return;
  waits_[index(u)] = 1;
  waiting_.push_back(u);
}

double RelaxedValues::ratio(VertexId u) const {
  double largest = 0.0;
  for (const double r : r_.row(u)) largest = std::max(largest, std::abs(r));
  return largest / (*degree_)[index(u)];
}

double RelaxedValues::largest_ratio(std::span<const VertexId> vertices) const {
  double largest = 0.0;
  for (const VertexId v : vertices) largest = std::max(largest, ratio(v));
  return largest;
}

void RelaxedValues::relax_one(VertexId u, double threshold) {
  const std::span<const VertexId> neighbors = graph_->neighbors(u);
  const double* const weights =
      graph_->has_unit_weights() ? nullptr : graph_->weight_array().data() + graph_->row_begin(u);
  const double* const degree = degree_->data();
  const std::int64_t stride = columns();
  for (std::int64_t k = 0; k < stride; ++k) {
    const double change = r_(u, k) / degree[index(u)];
    x_(u, k) += change;
    r_(u, k) = 0.0;
    double* const residual = r_.data() + k;
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      const VertexId other = neighbors[i];
      if (given_[index(other)] != 0) continue;
      const double here = residual[other * stride] + (weights ? weights[i] * change : change);
      residual[other * stride] = here;
      if (std::abs(here) > threshold * degree[index(other)]) wait(other);
    }
  }
}

RelaxedValues::Relaxed RelaxedValues::relax(double threshold, double most) {
  Relaxed done;
  std::size_t next = 0;
  for (; next < waiting_.size() && done.work < most; ++next) {
    const VertexId u = waiting_[next];
    waits_[index(u)] = 0;
    const double here = ratio(u);
    if (here <= threshold) {
      done.ratio = std::max(done.ratio, here);
      continue;
    }
    relax_one(u, threshold);
    ++done.vertices;
    done.work += static_cast<double>(graph_->degree(u) * columns());
  }
  done.all = next == waiting_.size();
  if (done.vertices > 0) done.ratio = threshold;
  for (; next < waiting_.size(); ++next) waits_[index(waiting_[next])] = 0;
  waiting_.clear();
  return done;
}

void RelaxedValues::take_out(std::span<const VertexId> free, std::int64_t k, std::vector<double>& x,
                             std::vector<double>& r) const {
  for (const VertexId v : free) {
    x[index(v)] = x_(v, k);
    r[index(v)] = r_(v, k);
  }
}

void RelaxedValues::put_back(std::span<const VertexId> free, std::int64_t k,
                             const std::vector<double>& x) {
  for (const VertexId v : free) x_(v, k) = x[index(v)];
}

void RelaxedValues::compute_residuals(std::span<const VertexId> free) {
  for (std::int64_t k = 0; k < columns(); ++k)
    for (const VertexId v : free) {
      const double here = x_(v, k);
      double sum = 0.0;
      graph_->visit_row(v, [&](VertexId u, double weight) { sum += weight * (x_(u, k) - here); });
      r_(v, k) = sum;
    }
}

RelaxedValues::Rows RelaxedValues::rows(std::span<const VertexId> vertices) const {
  Rows rows;
  for (const VertexId v : vertices) {
    rows.x.insert(rows.x.end(), x_.row(v).begin(), x_.row(v).end());
    rows.r.insert(rows.r.end(), r_.row(v).begin(), r_.row(v).end());
  }
  return rows;
}

void RelaxedValues::set_rows(std::span<const VertexId> vertices, const Rows& rows) {
  std::size_t i = 0;
  for (const VertexId v : vertices)
    for (std::int64_t k = 0; k < columns(); ++k, ++i) {
      x_(v, k) = rows.x[i];
      r_(v, k) = rows.r[i];
    }
}

void RelaxedValues::save(Record& record) const {
  record.put("values", std::vector<double>(x_.values().begin(), x_.values().end()));
  record.put("residuals", std::vector<double>(r_.values().begin(), r_.values().end()));
}

void RelaxedValues::resume(const Record& record, std::span<const VertexId> given,
                           std::span<const VertexId> left_out) {
  const std::int64_t n = x_.rows() * columns();
  std::ranges::copy(record.reals("values", n), x_.data());
  std::ranges::copy(record.reals("residuals", n), r_.data());
  for (const VertexId v : given) given_[index(v)] = 1;
  for (const VertexId v : left_out) {
    if (v < 0 || v >= graph_->vertex_count() || !is_given(v))
      throw Error(ErrorCode::bad_data,
                  "waiting vertex " + std::to_string(v) + ": must be one of the labeled, and once");
    given_[index(v)] = 0;
  }
}

}  // namespace gssl::detail
