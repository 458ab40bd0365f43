#pragma once
// The harmonic extension of labels that are revealed one after another, vertex by vertex, without a
// solve from scratch. Internal: not installed.
//
// With the labeled vertices S grounded, C = (L_FF)⁻¹ and w the extension, a label y at v is a
// change of rank one: δ = y − w_v, c = C_vv (the resistance between v and all of S joined),
//
//   w ← w + (δ/c) C e_v,   C ← C − C e_v e_vᵀ C / c,   energy ← energy + δ²/c.
//
// It is never carried out. G is the inverse of a Laplacian that is factored once, and the Cholesky
// factor R of G_SS gets a row for each label: with z = R⁻¹G_Sv and a = R⁻¹y, w_v = z·a and
// c = G_vv − z·z. An entry G_uv is the product of two half columns of the network's factor. When
// that has cost as much as a factorization, or c has lost its digits, the labels so far become the
// ground of a new one. A component without ground takes the first label of its own as ground:
// G'(u, v) = G_uv − G_us − G_sv + G_ss.
//
//   RevealedLabels labels(graph, 1, run);
//   labels.look_at(v);            // labels.value()[0], labels.resistance()
//   labels.reveal(v, {{1.0}});    // a value for each column
//
// A look costs the factor's entries above v, a product with each label since the last
// factorization, and their square; a label no more.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/record.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/network/resistive_cover.hpp"
#include "online/contracted_network.hpp"
#include "online/label_interpolation.hpp"

namespace gssl::detail {

class RevealedLabels final : public LabelInterpolation {
 public:
  // Entries that a factor may have: 4 GB.
  static constexpr double most_entries = 5e8;

  // Throws ErrorCode::out_of_memory where the factor does not fit or has more than `entries`, and as
  // throw_if_stopped().
  RevealedLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double entries,
                 const RunContext& run);
  // The same with what save() wrote; goes on with the same bits.
  RevealedLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double entries,
                 const Record& record, const RunContext& run);

  void look_at(VertexId v) override;
  std::span<const double> value() const override { return value_; }
  // Of the vertex looked at: between it and the labels of its component; infinite where there are none, 0 at a label.
  double resistance() const { return resistance_; }

  bool is_labeled(VertexId v) const override { return label_of_[index(v)] >= 0; }
  std::span<const double> label(VertexId v) const override {
    return values_.row(label_of_[index(v)]);
  }
  void reveal(VertexId v, std::span<const double> value) override;

  std::int64_t count() const override { return static_cast<std::int64_t>(vertex_.size()); }
  // Σ δ²/c over all labels and columns: wᵀLw if every digit is right.
  double energy() const { return energy_ + energy_carry_; }
  // w of all vertices, one row each; 0 where the component has no label. One solve.
  Block extension() const;

  void prove(OnlineReport& report, bool two_classes) const override;
  void save(Record& record) const override;

 private:
  // What a component without ground is measured from: its first label.
  struct Origin {
    VertexId node = no_vertex;
    std::int64_t number = 0;  // of the label
    std::vector<double> half;
    double square = 0.0;  // half·half
  };
  // A label since the last factorization.
  struct Bordered {
    VertexId node = no_vertex;
    VertexId component = no_vertex;
    std::vector<double> half;
    double origin_product = 0.0;  // half · that of the origin
    std::vector<double> row;      // of R
    std::vector<double> a;        // a value for each column
  };

  void prepare();
  void factor();
  void make_factor();
  void solve_for_base();
  void append(VertexId v, std::span<const double> value);
  void border(VertexId v, std::span<const double> value);
  bool grounded(VertexId component) const { return grounded_[index(component)]; }
  const Origin* origin(VertexId component) const;
  void mark_path(VertexId node);
  double product(VertexId node, const std::vector<double>& half) const;
  void add_energy(double amount);
  std::int64_t columns() const { return values_.columns(); }

  std::shared_ptr<const Graph> graph_;
  double entries_;
  RunContext run_;
  Components components_;
  std::vector<VertexId> vertex_;        // labeled, in order
  std::vector<std::int32_t> label_of_;  // vertex → its place in that order, or −1
  Block values_;                        // a row for each label, and room for the others
  double energy_ = 0.0;
  double energy_carry_ = 0.0;
  std::int64_t factorizations_ = 0;

  // Since the last factorization.
  bool factored_ = false;          // false: it was stopped
  std::int64_t ground_count_ = 0;  // labels that are ground
  ContractedNetwork network_;
  std::unique_ptr<NetworkFactor> factor_;
  EliminationTree tree_;
  Block base_;                           // extension of the ground, a row for each node
  std::vector<bool> grounded_;           // component → has a label in the ground
  std::vector<std::int32_t> origin_of_;  // component → its place in origins_, or −1
  std::vector<Origin> origins_;
  std::vector<Bordered> bordered_;
  double work_ = 0.0;         // numbers multiplied for labels since then
  double factor_work_ = 0.0;  // the same for a factorization

  // Of the vertex looked at.
  VertexId looked_at_ = no_vertex;
  std::vector<double> value_;
  double resistance_ = 0.0;
  double scale_ = 0.0;  // G_vv before anything was subtracted
  std::vector<double> half_, z_;
  double origin_product_ = 0.0;
  double look_work_ = 0.0;
  std::vector<std::int64_t> marked_;  // node of the tree → look that marked it
  std::int64_t look_ = 0;

  mutable std::optional<ResistiveCover> cover_;  // once a bound was asked for
};

}  // namespace gssl::detail
