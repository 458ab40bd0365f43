#pragma once
// Which vertex to label next. A criterion gives every candidate a score; the best is asked first.
//
//   gssl::AskOptions options = gssl::parse_criterion("v-opt:rank=100");
//   gssl::Asker asker(graph, labeled.vertices(), std::nullopt, options, run);
//   for (const gssl::Question& q : asker.next(5, &fit.scores, run)) q.vertex, q.score;
//
// Uncertainty, from the scores of a fit; p is a row of them scaled to sum one, p₁ ≥ p₂ its largest:
//   least-confident 1 − p₁;  margin 1 − (p₁ − p₂);  entropy −Σ p ln p / ln K;
//   norm 1 − ‖s‖₂ of the row s as it is (K. Miller, J. Calder 2023, doi:10.1137/22M1531981).
// Variance, from the graph and the places of the labels alone. The harmonic fit is the mean of a
// Gaussian field with covariance C = L_uu⁻¹; for labels of variance γ², C = (L + γ⁻²
// diag(labeled))⁻¹. With column C_v of C and δ_v = γ² + C_vv, knowing v leaves C − C_v C_vᵀ/δ_v,
// so:
//   v-opt      ‖C_v‖²/δ_v       what the total variance tr C falls by (M. Ji, J. Han, AISTATS 2012)
//   sigma-opt  (1ᵀC_v)²/δ_v     what the variance 1ᵀC1 of the sum falls by (Y. Ma, R. Garnett,
//                               J. Schneider, NIPS 2013)
// Both, K. Miller and A. Bertozzi 2024, doi:10.1007/s42967-023-00328-z; ŷ is the class that the row
// s of v decides for, so that the first is how far all scores move if v confirms it:
//   model-change        ‖e_ŷ − s‖₂ ‖C_v‖/δ_v
//   model-change-v-opt  ‖e_ŷ − s‖₂ ‖C_v‖²/δ_v
// random: a random order of the candidates by the seed, the baseline.
//
// Batches are greedy: after each choice v the covariance is that of v known, by the rank-one update
// above; uncertainty, which needs the answer, ranks by the scores alone. Nothing is asked twice.
// Scores within 1e-9 of the best, relative, are ties, and the lowest vertex wins.
//
// Components without a label are asked first (unreached=first), by number of vertices, ties by
// lowest vertex: C is infinite there. With unreached=last they come when no reached candidate is
// left, and the other vertices of these components after them, where the criterion reads no
// scores. Where the ground under such a component tends to 0, v-opt and sigma-opt both tend to
// the vertex of least (L⁺)_vv, the most central one, and it is asked for every criterion but
// random. Its score is the number of vertices of the component.
//
// Cost. rank=0: one solve for each candidate, once, then two for each choice, and 8n bytes for
// each. rank=k: C is cut to the span of the k smallest eigenpairs of L (Miller and Bertozzi), which
// needs labels with variance: O(nk² + k³) once, O(nk) for each choice, 8nk bytes. All criteria but
// random need the central vertices of unreached components: a solve for each vertex of the largest
// up to 4,000 vertices, the eigenpairs above.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/learn/criterion.hpp"

namespace gssl {

struct Question {
  VertexId vertex = no_vertex;
  double score = 0.0;
  bool unreached = false;  // asked because its component has no label; score is then its size
};

// A run of questions on one graph, which must outlive it. What it asks counts as labeled from then
// on, so the next round goes on where the last ended and the covariance is never made again.
class Asker {
 public:
  using Candidates = std::optional<std::span<const VertexId>>;

  // `labeled` may be empty. `candidates` are the vertices that may be asked, all where there is
  // nothing; those labeled are left out. Throws ErrorCode::bad_data on a vertex that is repeated or
  // not in the graph.
  Asker(const Graph& graph, std::span<const VertexId> labeled, Candidates candidates,
        const AskOptions& options, const RunContext& run = {});
  Asker(Graph&&, std::span<const VertexId>, Candidates, const AskOptions&,
        const RunContext& = {}) = delete;
  ~Asker();
  Asker(Asker&&) noexcept;

  // Up to `count` questions, best first; fewer when the candidates run out, or when the criterion
  // needs scores and those left are unreached in `scores`. `scores` are of classes: one column is
  // one class, of which all are sure, and real targets cannot be told from it. They may be null
  // where they are not used. Throws ErrorCode::usage if they are missing, ErrorCode::bad_data
  // unless they have a status and, where any vertex is reached, a row for each vertex. A run that
  // is stopped returns what it has; report() says so.
  std::vector<Question> next(int count, const Scores* scores, const RunContext& run = {});

  // Begins again with other labels on the same graph; eigenpairs, if any were found, are kept.
  void restart(std::span<const VertexId> labeled, Candidates candidates,
               const RunContext& run = {});

  // As asked, with what was automatic decided.
  const AskOptions& options() const;
  // Candidates not yet asked.
  std::int64_t remaining() const;
  // Of all solves so far. Certificates: "eigen_residual", the largest of the eigenpairs in use.
  const Report& report() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace gssl
