#include "gssl/network/p_resistance.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "energy_sum.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "p_energy.hpp"

namespace gssl {

void PResistanceOptions::validate() const {
  const auto refuse = [](const std::string& option, const std::string& rule) {
    throw Error(ErrorCode::usage, "p-resistance: option " + option + ": must be " + rule);
  };
  if (!(p > 1.0 && std::isfinite(p)))
    refuse("p=" + to_text(p), "a finite number > 1 (1/resistance at p = 1 is the minimum cut)");
  if (!(tolerance > 0.0 && tolerance < 1.0))
    refuse("tolerance=" + to_text(tolerance), "a number in (0, 1)");
  if (max_iterations < 0) refuse("max_iterations=" + std::to_string(max_iterations), ">= 0");
}

PResistance p_resistance(const Graph& graph, VertexId a, VertexId b,
                         const PResistanceOptions& options, const RunContext& run) {
  options.validate();
  for (const VertexId v : {a, b}) {
    if (v < 0 || v >= graph.vertex_count())
      throw Error(ErrorCode::usage, "p-resistance: vertex " + std::to_string(v) +
                                        ": must be in [0, " + std::to_string(graph.vertex_count()) +
                                        ")");
  }
  PResistance result;
  if (a == b) return result;
  const std::vector<double> values{1.0, 0.0};
  detail::EnergySum energy;
  energy.add(std::log(graph.weight(a, b)), 0.0);
  for (const auto& piece : detail::network_pieces(make_dirichlet_problem(graph, {a, b}))) {
    if (!detail::terminal_range(piece, values)) continue;
    const detail::PowerMinimizer minimizer(piece,
                                           {.p = options.p,
                                            .tolerance = options.tolerance,
                                            .max_iterations = options.max_iterations,
                                            .solver = options.solver},
                                           1, run);
    const detail::PEnergySolution solution = minimizer.minimize({values}, run).front();
    energy.add(solution.log_energy, solution.gap);
    result.outcome = worse(result.outcome, solution.outcome);
    result.solves += solution.solves;
  }
  result.resistance = std::exp(-energy.log_value());
  result.gap = energy.gap();
  return result;
}

}  // namespace gssl
