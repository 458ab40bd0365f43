// The smallest eigenpairs of L_sym beside those of Spectra, which knows nothing of our Laplacians.

#include <Spectra/MatOp/DenseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>

#include <cmath>

#include "gssl/graph/generators.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "support/catch.hpp"

using namespace gssl;

TEST_CASE("the smallest eigenpairs of L_sym equal Spectra's") {
  RunContext run;
  run.threads = 1;
  Rng rng(12);
  const Graph social = stochastic_block_model({160, 140}, 0.1, 0.02, rng);
  const Graph grid = with_log_uniform_weights(grid_graph(16, 20), 0.1, 10.0, rng);
  for (const Graph& graph : {social, grid}) {
    const VertexId n = graph.vertex_count();
    // 2I − L_sym = I + D^-½ W D^-½
    Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n, n);
    for (VertexId u = 0; u < n; ++u)
      graph.visit_row(u, [&](VertexId v, double w) {
        m(u, v) += w / std::sqrt(graph.weighted_degree(u) * graph.weighted_degree(v));
      });
    Spectra::DenseSymMatProd<double> product(m);
    Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> peer(product, 6, 80);
    peer.init();
    peer.compute(Spectra::SortRule::LargestAlge, 1000, 1e-11);
    REQUIRE(peer.info() == Spectra::CompInfo::Successful);
    const Eigen::VectorXd values = peer.eigenvalues();
    const Eigen::MatrixXd vectors = peer.eigenvectors();
    for (const SpectrumMethod method :
         {SpectrumMethod::lanczos, SpectrumMethod::inversion, SpectrumMethod::spectra}) {
      const Spectrum s =
          smallest_eigenpairs(graph, {.count = 6, .tolerance = 1e-10, .method = method}, run);
      INFO(s.sentence);
      CHECK(s.used == to_string(method));
      for (std::int64_t j = 0; j < 6; ++j) {
        CHECK(std::abs(s.values[static_cast<std::size_t>(j)] - (2.0 - values[j])) < 1e-10);
        double dot = 0.0;
        for (VertexId v = 0; v < n; ++v) dot += s.vectors(v, j) * vectors(v, j);
        CHECK(std::abs(dot) == Approx(1.0).epsilon(1e-8));
      }
    }
  }
}
