#pragma once
// Why a vertex has its harmonic score, and which given labels the others contradict.
//
// A harmonic score is an average of the given labels: u_v = Σ_ℓ p_vℓ y_ℓ, where the share p_vℓ is
// the chance that a random walk from v meets label ℓ first. Shares are ≥ 0 and sum to one.
//
//   gssl::Explanations why = gssl::explain(graph, labeled, vertices, {}, run);
//   for (const gssl::LabelShare& s : why.of[0].shares) labeled.vertices()[s.label], s.share;
//   gssl::LeaveOneOut loo = gssl::leave_one_out(graph, labeled, {}, run);
//   for (const gssl::Suspect& s : gssl::rank_suspects(labeled, loo)) …   // most suspicious first
//
// Hard labels: row v of P = L_uu⁻¹ W_uℓ is Wᵀ_uℓ z with L_uu z = e_v, one adjoint solve for each
// vertex. Soft labels (soft=c): p_vℓ = c z_ℓ with (L + c·diag(labeled)) z = e_v.
//
// Leave-one-out. With hard labels let S = L_ℓℓ − L_ℓu L_uu⁻¹ L_uℓ be the Schur complement on the
// labeled block: the Laplacian of the network that is left when the free vertices are eliminated
// (Kron reduction; F. Dörfler, F. Bullo 2013, doi:10.1109/TCSI.2012.2215780). Setting label i free
// makes it harmonic there, so the others predict Σ_{j≠i} κ_ij y_j / Σ_{j≠i} κ_ij with κ = −S off
// the diagonal: exactly the fit without label i (this is the Gaussian-process identity
// y_i − (Sy)_i/S_ii, S. Sundararajan, S. Keerthi 2001, doi:10.1162/08997660151134343, written
// without its cancellation). Column j of P gives κ_ij = w_ij + Σ_u w_iu P_uj ≥ 0: one factorization
// and one column for each label serve all of them. Soft labels: the same with κ_ij = c (A⁻¹)_ij, by
// Sherman–Morrison.
//
// Cost: explain, one column for each vertex; leave_one_out, one for each label, plus
// O(labels · degree) each; memory O(n) beside the solver.

#include <span>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/transductive/harmonic.hpp"

namespace gssl {

struct LabelShare {
  std::size_t label = 0;  // index into LabeledSet::vertices()
  double share = 0.0;     // in (0, 1]
};

struct Explanation {
  VertexId vertex = no_vertex;
  // unfinished: stopped when one class did not lead by more than the shares still unknown, 1 −
  // row_sum; for a regression, when more than 1 % was.
  VertexStatus status = VertexStatus::inferred;
  // Shares above 0, largest first, ties in order of the labels. A vertex given a hard label has
  // that label alone; an unreached one has none.
  std::vector<LabelShare> shares;
  double row_sum = 0.0;  // of all shares as solved: 1 within the solver's tolerance; 0 if unreached
};

struct Explanations {
  std::vector<Explanation> of;  // in the order asked
  // Certificate "row_sums": that of each vertex asked about. A run that is stopped leaves the
  // vertices it did not come to without shares and with row sum 0.
  Report report;
};

// Throws ErrorCode::bad_data if `labeled` is empty or a vertex is not in the graph, and
// ErrorCode::usage if options.mass is not none: its factors are of the whole graph, and the scores
// then no average of the labels.
Explanations explain(const Graph& graph, const LabeledSet& labeled,
                     std::span<const VertexId> vertices, const HarmonicOptions& options = {},
                     const RunContext& run = {});

struct LeaveOneOut {
  // Row i: what the other labels predict at label i, one column for each class or the one of a
  // regression. Zero where they predict nothing. Classes sum to one.
  Block scores;
  std::vector<bool> predicted;  // another label is in its component
  std::vector<bool> of_class;   // …and one of its class is; as `predicted` for a regression
  bool complete = false;        // all labels were used; a run that is stopped has used some
  // Certificate "row_sum_error": largest |1 − Σ_ℓ p_vℓ| over all vertices reached.
  Report report;
};

// Throws as explain does. A run that is stopped says so in report.outcome, and its scores
// are not those of fits without the label.
LeaveOneOut leave_one_out(const Graph& graph, const LabeledSet& labeled,
                          const HarmonicOptions& options = {}, const RunContext& run = {});

enum class SuspectStatus : unsigned char {
  checked,
  only_of_class,  // no other label of its component has its class: nothing could confirm it
  alone,          // no other label in its component
  unfinished      // the run was stopped: nothing is known
};
template <>
inline constexpr auto names_of<SuspectStatus> =
    enum_names<SuspectStatus>("suspect", {"checked", "only-of-class", "alone", "unfinished"});
std::string_view to_string(SuspectStatus status);  // "checked", "only-of-class", …

struct Suspect {
  std::size_t label = 0;  // index into LabeledSet::vertices()
  // Classes: the best score of another class less that of its own, in [−1, 1]; above 0 the other
  // labels outvote it. Regression: |target − prediction|. 0 if alone or unfinished.
  double suspicion = 0.0;
  int best = -1;            // class the others predict, the lowest on a tie; −1: none, regression
  double best_score = 0.0;  // its score; for regression the value predicted
  double own_score = 0.0;   // score of the class it was given; 0 for regression
  SuspectStatus status = SuspectStatus::checked;
};

// All labels: checked ones by suspicion, then those only of their class, then those alone; ties in
// order of the labels. Of a run that was stopped all are unfinished.
std::vector<Suspect> rank_suspects(const LabeledSet& labeled, const LeaveOneOut& found);

}  // namespace gssl
