#include "online/label_interpolation.hpp"

#include <cmath>

namespace gssl::detail {

double energy_sum(const Graph& graph, const Block& u, double p) {
  double sum = 0.0;
  for (VertexId a = 0; a < graph.vertex_count(); ++a)
    graph.visit_row(a, [&](VertexId b, double weight) {
      for (std::int64_t k = 0; k < u.columns(); ++k) {
        const double apart = std::abs(u(a, k) - u(b, k));
        if (a < b) sum += weight * (p == 2.0 ? apart * apart : std::pow(apart, p));
      }
    });
  return sum;
}

void bound_by_labels(OnlineReport& report, std::int64_t labeled) {
  report.add_bound(static_cast<double>(labeled), "labeled vertices: each is mistaken at most once");
}

}  // namespace gssl::detail
