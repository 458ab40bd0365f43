#pragma once
// A labeling of a graph of least energy that agrees with the labels revealed so far. Internal: not
// installed.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/record.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

class LabelInterpolation {
 public:
  virtual ~LabelInterpolation() = default;

  // Finds value() of v. Changes nothing that lasts.
  virtual void look_at(VertexId v) = 0;
  virtual std::span<const double> value() const = 0;  // 0 where nothing is known

  virtual bool is_labeled(VertexId v) const = 0;
  // The value that v was given. Precondition: is_labeled(v).
  virtual std::span<const double> label(VertexId v) const = 0;
  // Precondition: !is_labeled(v).
  virtual void reveal(VertexId v, std::span<const double> value) = 0;
  virtual std::int64_t count() const = 0;  // labels

  // Adds the bound of the run and the certificates. `two_classes`: values are −1 and +1.
  virtual void prove(OnlineReport& report, bool two_classes) const = 0;
  virtual void save(Record& record) const = 0;
};

// Σ w_ij |u_i − u_j|^p over edges and columns.
double energy_sum(const Graph& graph, const Block& u, double p);
// The bound that holds in any case: each vertex is mistaken at most once, when it is first labeled.
void bound_by_labels(OnlineReport& report, std::int64_t labeled);

// What rounding may take from a bound.
inline constexpr double bound_rounding = 1e-9;

}  // namespace gssl::detail
