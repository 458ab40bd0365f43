#include "check_problem.hpp"

#include <string>

#include "gssl/core/error.hpp"

namespace gssl::detail {

void check_problem(std::string_view learner, const Graph& graph, const LabeledSet& labeled,
                   Regression regression) {
  labeled.check_against(graph.vertex_count());
  if (labeled.is_regression() && regression == Regression::unsupported) {
    throw Error(ErrorCode::usage,
                std::string(learner) + ": real targets: this learner needs classes; use harmonic");
  }
}

}  // namespace gssl::detail
