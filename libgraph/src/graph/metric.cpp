#include "gssl/graph/metric.hpp"

#include <string>

#include "gssl/core/error.hpp"

namespace gssl {

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::euclidean: return "euclidean";
    case Metric::cosine: return "cosine";
    case Metric::correlation: return "correlation";
    case Metric::manhattan: return "manhattan";
  }
  return "euclidean";
}

Metric metric_named(std::string_view name) {
  for (const Metric metric :
       {Metric::euclidean, Metric::cosine, Metric::correlation, Metric::manhattan})
    if (to_string(metric) == name) return metric;
  throw Error(ErrorCode::usage, "metric " + std::string(name) +
                                    ": must be euclidean, cosine, correlation or manhattan");
}

}  // namespace gssl
