// mlpack's dual-tree Borůvka (March, Ram and Gray 2010), one thread, doubles. Debian has it inside
// the R package RcppMLPACK; no R runs here.
#include "peers.hpp"

#ifdef GSSL_BENCH_MLPACK
#include <mlpack/core.hpp>
#include <mlpack/methods/emst/dtb.hpp>
#include <sstream>

std::optional<TreePeer> mlpack_tree(const std::vector<float>& x, int d) {
  // It tells R what it is doing, and there is none.
  static std::ostringstream silent;
  Rcpp::Rcout.rdbuf(silent.rdbuf());
  arma::mat points(static_cast<arma::uword>(d), x.size() / static_cast<std::size_t>(d));
  std::copy(x.begin(), x.end(), points.begin());
  const gssl::bench::Stopwatch watch;
  mlpack::emst::DualTreeBoruvka<> method(points);
  arma::mat tree;
  method.ComputeMST(tree);
  return TreePeer{watch.elapsed(), arma::accu(tree.row(2))};
}
#else
std::optional<TreePeer> mlpack_tree(const std::vector<float>&, int) { return {}; }
#endif
