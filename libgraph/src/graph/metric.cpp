#include "gssl/graph/metric.hpp"

#include "gssl/core/named.hpp"

namespace gssl {
namespace {

constexpr auto metrics =
    enum_names<Metric>("metric", {"euclidean", "cosine", "correlation", "manhattan"});

}  // namespace

std::string_view to_string(Metric metric) { return metrics.name(metric); }

Metric metric_named(std::string_view name) { return metrics.value(name); }

}  // namespace gssl
