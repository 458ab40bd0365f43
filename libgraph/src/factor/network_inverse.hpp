#pragma once
// A factored network that only solves, in a third of the memory of a NetworkFactor: its shares are
// floats.
//
// Each vertex hands its current on in shares p that add up to 1. Rounded shares are divided by
// their sum, so that they still do: what is factored is then a network whose energies differ by a
// few units of 6e-8, relative, and whose constants are still free. An eigensolver that checks its
// pairs against the true network needs no more.
//
//   auto inverse = make_network_inverse(graph, FactorDigits::floats, run);
//   inverse->solve(x, run);

#include <functional>
#include <memory>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/network_factor.hpp"
#include "structure.hpp"

namespace gssl::solve {

class NetworkInverse {
 public:
  virtual ~NetworkInverse() = default;
  // As NetworkFactor::solve, in place.
  virtual void solve(Block& x, const RunContext& run) const = 0;
};

enum class FactorDigits { floats, doubles };

// As make_network_factor. The graph must outlive a factor of doubles.
std::unique_ptr<NetworkInverse> make_network_inverse(
    const Graph& graph, FactorDigits digits, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept = {}, VertexId last = no_vertex);

// The same with floats for a graph whose vertices are already in the order of `structure`, whose
// own order is 0, 1, …: solving moves no row. Null as make_network_factor says.
std::unique_ptr<NetworkInverse> make_network_inverse(const Graph& graph, NetworkStructure structure,
                                                     const RunContext& run);

}  // namespace gssl::solve
