#include "gssl/graph/metric.hpp"

namespace gssl {
std::string_view to_string(Metric metric) { return names_of<Metric>.name(metric); }

Metric metric_named(std::string_view name) { return names_of<Metric>.value(name); }

}  // namespace gssl
