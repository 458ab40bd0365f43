#pragma once
// Public solvers, each used as its manual says and on one thread, behind one interface.
//
//   cholmod   supernodal or simplicial as it likes, AMD ordering, all columns at once
//   ldlt      Eigen::SimplicialLDLT, AMD ordering, all columns at once
//   cg        Eigen conjugate gradients with Jacobi, column by column
//   cg-ic     Eigen conjugate gradients with incomplete Cholesky, column by column
//   hypre     conjugate gradients with BoomerAMG, column by column
//
// SciPy's are described in scipy_peer.hpp.

#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::bench {

class Peer {
 public:
  virtual ~Peer() = default;
  // The matrix in the peer's own form; not timed, since its user would have it.
  virtual void load(const GroundedLaplacian& system) = 0;
  // Everything that does not depend on the right-hand sides. Throws std::bad_alloc or
  // std::runtime_error if it cannot.
  virtual void set_up(double tolerance) = 0;
  // Returns the most iterations that a column took; 0 for a direct solve.
  virtual std::int64_t solve(const Eigen::MatrixXd& b, Eigen::MatrixXd& x) = 0;
};

// Those that are here, and those that are not with the package that brings each.
const std::vector<std::string>& peer_names();
const std::map<std::string, std::string>& absent_peers();
// nullptr if there is none of that name, or it runs in a process of its own.
std::unique_ptr<Peer> make_peer(const std::string& name);

}  // namespace gssl::bench
