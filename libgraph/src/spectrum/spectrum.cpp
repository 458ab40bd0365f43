#include "gssl/linalg/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "block_lanczos.hpp"
#include "choose_spectrum.hpp"
#include "connected_laplacian.hpp"
#include "graph/support/moderate_weights.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/linalg/residual.hpp"
#include "gssl/solve/cost_model.hpp"
#include "solve/order/renumbering.hpp"
#include "spectra_pairs.hpp"

namespace gssl {
namespace {

using namespace solve;

// 16 n² bytes, and hours: nobody waits for more.
constexpr std::int64_t most_dense_rows = 40'000;

// One nonzero pair, or the zero of a component.
struct Candidate {
  double value = 0.0;
  VertexId component = 0;
  std::int64_t column = -1;  // of its component's vectors; −1: the null vector
  bool good = true;          // its residual is within the tolerance
};

// One component, in an order that keeps neighbors together, or the whole graph without a copy.
struct Part {
  std::vector<VertexId> vertices;  // of the rows; empty: all of them as they are
  std::shared_ptr<const Graph> graph;
};

// The vertices of the rows after these were put into another order; empty: as they are.
std::vector<VertexId> in_order(std::vector<VertexId> vertices, std::vector<VertexId> order) {
  if (order.empty()) return vertices;
  if (!vertices.empty())
    for (VertexId& row : order) row = vertices[static_cast<std::size_t>(row)];
  return order;
}

// `parts` is empty where there is one component.
Part part_of(const Graph& graph, const std::optional<ComponentGraphs>& parts, VertexId k) {
  Part part;
  if (!parts) {
    part.graph = std::make_shared<const Graph>(graph);
  } else {
    ComponentGraph copy = (*parts)[k];
    part.vertices = std::move(copy.vertices);
    part.graph = std::make_shared<const Graph>(std::move(copy.graph));
  }
  Renumbering renumbering(*part.graph);
  if (!renumbering.changed()) return part;
  part.graph = renumbering.graph(*part.graph);
  part.vertices = in_order(std::move(part.vertices), renumbering.order());
  return part;
}

// All of M as a dense matrix, its null vector moved to the top of the spectrum.
RitzPairs dense_pairs(const ConnectedLaplacian& laplacian, std::int64_t wanted, int threads) {
  const std::int64_t n = laplacian.size();
  if (n > most_dense_rows)
    throw Error(ErrorCode::usage,
                "spectrum: a dense matrix of " + std::to_string(n) + " vertices: must be at most " +
                    std::to_string(most_dense_rows) + "; ask for fewer pairs, or another method");
  const GroundedLaplacian& system = *laplacian.system();
  Block m(n, n);
  const auto scale = [&](std::int64_t v) {
    return laplacian.normalized() ? laplacian.root_degree()[static_cast<std::size_t>(v)] : 1.0;
  };
  const Block z = laplacian.null_vector();
  for (VertexId u = 0; u < n; ++u) {
    for (std::int64_t v = 0; v < n; ++v) m(u, v) = 2.0 * laplacian.bound() * z(u, 0) * z(v, 0);
    m(u, u) += system.diagonal()[static_cast<std::size_t>(u)] / (scale(u) * scale(u));
    system.graph().visit_row(u,
                             [&](VertexId v, double w) { m(u, v) -= w / (scale(u) * scale(v)); });
  }
  const DenseEigen all = dense_eigen(m);
  Block x(n, wanted);
  for (std::int64_t v = 0; v < n; ++v)
    for (std::int64_t j = 0; j < wanted; ++j) x(v, j) = all.vectors(v, j);
  RitzPairs pairs;
  Block mx;
  laplacian.apply(x, mx, threads);
  pairs.vectors = std::move(x);
  for (std::int64_t j = 0; j < wanted; ++j) {
    const double value = std::max(all.values[static_cast<std::size_t>(j)], 0.0);
    double squares = 0.0;
    for (std::int64_t v = 0; v < n; ++v) {
      const double r = mx(v, j) - value * pairs.vectors(v, j);
      squares += r * r;
    }
    pairs.values.push_back(value);
    pairs.residuals.push_back(std::sqrt(squares));
  }
  return pairs;
}

// Makes the first entry of about the largest size of each column positive.
void fix_signs(Block& vectors, int threads) {
  const auto columns = static_cast<std::size_t>(vectors.columns());
  std::vector<double> largest(columns, 0.0), sign(columns, 0.0);
  for (std::int64_t v = 0; v < vectors.rows(); ++v)
    for (std::size_t j = 0; j < columns; ++j)
      largest[j] = std::max(largest[j], std::abs(vectors.row(v)[j]));
  std::size_t known = 0;
  for (std::int64_t v = 0; v < vectors.rows() && known < columns; ++v)
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = vectors.row(v)[j];
      if (sign[j] != 0.0 || std::abs(value) < (1.0 - 1e-6) * largest[j]) continue;
      sign[j] = value < 0.0 ? -1.0 : 1.0;
      ++known;
    }
  if (std::ranges::none_of(sign, [](double s) { return s < 0.0; })) return;
  parallel_blocks(vectors.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      for (std::size_t j = 0; j < columns; ++j)
        if (sign[j] < 0.0) vectors.row(v)[j] = 0.0 - vectors.row(v)[j];  // and no −0
  });
}

// The work of one call: the pairs of each component, then the merger. `exponent`: the weights asked
// about are those of `graph` times 2^exponent.
class Merger {
 public:
  Merger(const Graph& graph, int exponent, const SpectrumOptions& options, const RunContext& run)
      : graph_(graph),
        exponent_(exponent),
        options_(options),
        run_(run),
        components_(connected_components(graph)) {
    found_.component_count = components_.count;
    found_.requested = to_string(options.method);
    asked_ = wanted_ = std::min<std::int64_t>(options.count, graph.vertex_count());
  }

  Spectrum result() {
    for (VertexId k = 0; k < std::min<std::int64_t>(components_.count, wanted_); ++k)
      candidates_.push_back({.component = k});
    found_.zero_count = static_cast<VertexId>(candidates_.size());
    vertices_.resize(static_cast<std::size_t>(components_.count));
    vectors_.resize(static_cast<std::size_t>(components_.count));
    const std::int64_t left = wanted_ - found_.zero_count;
    if (left > 0 && components_.count > 1) component_graphs_.emplace(graph_, components_);
    for (VertexId k = 0; left > 0 && k < components_.count; ++k) {
      if (components_.sizes[static_cast<std::size_t>(k)] == 1) continue;
      if (const auto why = run_.stop()) {
        found_.outcome = worse(found_.outcome, *why);
        break;
      }
      solve(k, left);
    }
    std::stable_sort(candidates_.begin() + found_.zero_count, candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.value < b.value; });
    wanted_ = std::min(wanted_, std::ssize(candidates_));
    candidates_.resize(static_cast<std::size_t>(wanted_));
    fill();
    scale_back();
    conclude();
    return std::move(found_);
  }

 private:
  void solve(VertexId k, std::int64_t left) {
    const auto at = static_cast<std::size_t>(k);
    const std::int64_t n = components_.sizes[at];
    const std::int64_t count = std::min(left, n - 1);
    Part part = part_of(graph_, component_graphs_, k);
    ConnectedLaplacian laplacian(std::move(part.graph), options_.kind);
    RitzPairs pairs;
    std::string used = "dense", reason;
    if (options_.method == SpectrumMethod::dense ||
        static_cast<double>(n) <= cost_model().dense_rows || n < least_rows(count)) {
      pairs = dense_pairs(laplacian, count, run_.thread_count());
      reason = std::to_string(n) + " vertices as a dense matrix";
    } else {
      FoundPairs found = options_.method == SpectrumMethod::spectra
                             ? spectra_pairs(laplacian, count, options_, run_)
                             : find_pairs(laplacian, count, options_, run_);
      pairs = std::move(found.pairs);
      part.vertices = in_order(std::move(part.vertices), std::move(found.order));
      used = found.used;
      reason = found.reason;
    }
    for (std::int64_t j = 0; j < std::ssize(pairs.values) && j < count; ++j) {
      const auto i = static_cast<std::size_t>(j);
      const double limit = residual_limit(laplacian, options_.tolerance, pairs.values[i]);
      const bool good = std::isfinite(limit) && pairs.residuals[i] <= limit;
      candidates_.push_back({std::max(pairs.values[i], 0.0), k, j, good});
      // What stopped the iteration, or a residual that no iteration can make smaller.
      if (!good)
        found_.outcome =
            worse(found_.outcome,
                  pairs.outcome == Outcome::converged ? Outcome::iteration_limit : pairs.outcome);
    }
    found_.outcome = worse(found_.outcome, pairs.outcome);
    found_.steps += pairs.steps;
    vectors_[at] = std::move(pairs.vectors);
    vertices_[at] = std::move(part.vertices);
    if (found_.used.find(used) == std::string::npos)
      found_.used += (found_.used.empty() ? "" : "+") + used;
    if (n > largest_) {
      largest_ = n;
      reason_ = reason;
    }
  }

  // The vectors of the candidates that are left, in the rows of their components.
  void fill() {
    const VertexId n = graph_.vertex_count();
    found_.vectors = Block(n, wanted_);
    std::vector<double> degree;
    if (options_.kind != LaplacianKind::combinatorial) {
      degree = weighted_degrees(graph_, run_.thread_count());
      for (double& d : degree) d = d > 0.0 ? d : 1.0;
    }
    // For each component the columns of its vectors, and where they go.
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> taken(vectors_.size());
    for (std::int64_t j = 0; j < wanted_; ++j) {
      const Candidate& c = candidates_[static_cast<std::size_t>(j)];
      found_.values.push_back(c.value);
      found_.component_of.push_back(c.component);
      if (c.column >= 0) taken[static_cast<std::size_t>(c.component)].emplace_back(c.column, j);
    }
    for (std::size_t k = 0; k < taken.size(); ++k) {
      if (taken[k].empty()) continue;
      const std::vector<VertexId>& vertices = vertices_[k];
      const Block& from = vectors_[k];
      parallel_blocks(from.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
          const std::int64_t v = vertices.empty() ? r : vertices[static_cast<std::size_t>(r)];
          for (const auto& [column, j] : taken[k]) found_.vectors(v, j) = from(r, column);
        }
      });
      vectors_[k] = Block();
    }
    fill_null_vectors(degree);
    if (options_.kind == LaplacianKind::random_walk) {
      for (VertexId v = 0; v < n; ++v)
        for (double& value : found_.vectors.row(v))
          value /= std::sqrt(degree[static_cast<std::size_t>(v)]);
    }
    fix_signs(found_.vectors, run_.thread_count());
    certify(degree);
  }

  // The residuals of what is returned; for L_rw those of D^½ v.
  void certify(const std::vector<double>& degree) {
    Block r;
    apply_laplacian(graph_, options_.kind, found_.vectors, r, run_.thread_count());
    const bool generalized = options_.kind == LaplacianKind::random_walk;
    parallel_blocks(r.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        const double root = generalized ? std::sqrt(degree[static_cast<std::size_t>(v)]) : 1.0;
        for (std::int64_t j = 0; j < wanted_; ++j)
          r(v, j) =
              root * (r(v, j) - found_.values[static_cast<std::size_t>(j)] * found_.vectors(v, j));
      }
    });
    found_.residuals = column_norms(r, run_.thread_count());
    if (!std::ranges::all_of(found_.residuals, [](double norm) { return std::isfinite(norm); }))
      found_.outcome = Outcome::breakdown;
  }

  // From the graph that was solved to the one asked about.
  void scale_back() {
    if (exponent_ == 0) return;
    if (options_.kind == LaplacianKind::random_walk) {
      for (std::int64_t i = 0; i < found_.vectors.rows() * found_.vectors.columns(); ++i)
        found_.vectors.data()[i] = std::ldexp(found_.vectors.data()[i], -exponent_ / 2);
    }
    if (options_.kind != LaplacianKind::combinatorial) return;
    for (double& value : found_.values) {
      const double scaled = std::ldexp(value, exponent_);
      if (!std::isfinite(scaled))
        throw Error(ErrorCode::bad_data,
                    "spectrum: eigenvalue " + to_brief_text(value) + "*2^" +
                        std::to_string(exponent_) +
                        " is more than a double holds: scale the weights down, ask for fewer "
                        "pairs, or for the symmetric or random-walk Laplacian");
      rounded_ = rounded_ || std::ldexp(scaled, -exponent_) != value;
      value = scaled;
    }
    for (double& residual : found_.residuals) residual = std::ldexp(residual, exponent_);
  }

  // 1, or D^½ 1, on each component.
  void fill_null_vectors(const std::vector<double>& degree) {
    std::vector<double> squares(static_cast<std::size_t>(components_.count), 0.0);
    const auto weight = [&](VertexId v) {
      return degree.empty() ? 1.0 : degree[static_cast<std::size_t>(v)];
    };
    for (VertexId v = 0; v < graph_.vertex_count(); ++v)
      squares[static_cast<std::size_t>(components_.of[static_cast<std::size_t>(v)])] += weight(v);
    for (VertexId v = 0; v < graph_.vertex_count(); ++v) {
      const VertexId k = components_.of[static_cast<std::size_t>(v)];
      if (k < found_.zero_count)
        found_.vectors(v, k) = std::sqrt(weight(v) / squares[static_cast<std::size_t>(k)]);
    }
  }

  void conclude() {
    if (found_.used.empty()) found_.used = "none";
    found_.sentence = std::to_string(wanted_);
    if (wanted_ < asked_) found_.sentence += " of " + std::to_string(asked_);
    found_.sentence += " pairs, " + std::to_string(found_.zero_count) + " with eigenvalue 0";
    if (!reason_.empty()) found_.sentence += ": " + found_.used + ", " + reason_;
    found_.sentence +=
        "; " + std::to_string(found_.steps) + " block steps, largest residual " +
        to_brief_text(found_.residuals.empty()
                          ? 0.0
                          : *std::max_element(found_.residuals.begin(), found_.residuals.end()));
    const auto good = std::ranges::count_if(candidates_, &Candidate::good);
    if (good < asked_) found_.sentence += ", " + std::to_string(good) + " within the tolerance";
    if (rounded_) found_.sentence += ", eigenvalues below 2.2e-308 rounded as such numbers are";
    found_.sentence += ": " + std::string(to_string(found_.outcome));
  }

  const Graph& graph_;
  int exponent_;
  const SpectrumOptions& options_;
  const RunContext& run_;
  Components components_;
  std::optional<ComponentGraphs> component_graphs_;
  std::int64_t asked_ = 0;   // pairs
  std::int64_t wanted_ = 0;  // those of them that are there to be returned
  std::vector<Candidate> candidates_;
  std::vector<Block> vectors_;                   // of each component
  std::vector<std::vector<VertexId>> vertices_;  // of their rows; empty: as they are
  std::int64_t largest_ = 0;
  std::string reason_;
  bool rounded_ = false;  // a value scaled back lost digits
  Spectrum found_;
};

}  // namespace

std::string_view to_string(SpectrumMethod method) { return names_of<SpectrumMethod>.name(method); }

std::vector<std::string> spectrum_method_names() { return names_of<SpectrumMethod>.all(); }

SpectrumMethod parse_spectrum_method(std::string_view name) {
  return names_of<SpectrumMethod>.value(name);
}

void SpectrumOptions::validate() const {
  if (count < 1)
    throw Error(ErrorCode::usage,
                "spectrum: option count=" + std::to_string(count) + ": must be >= 1");
  if (!(tolerance > 0.0 && tolerance < 1.0))
    throw Error(ErrorCode::usage,
                "spectrum: option tolerance=" + to_text(tolerance) + ": must be in (0, 1)");
}

Spectrum smallest_eigenpairs(const Graph& graph, const SpectrumOptions& options,
                             const RunContext& run) {
  options.validate();
  const ModerateWeights moderate = moderate_weights(graph, "spectrum");
  return Merger(moderate.graph ? *moderate.graph : graph, moderate.exponent, options, run).result();
}

}  // namespace gssl
