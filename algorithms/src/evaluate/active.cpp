#include "gssl/evaluate/active.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "evaluate/central_vertex.hpp"
#include "evaluate/component_spectrum.hpp"
#include "evaluate/covariance.hpp"
#include "evaluate/uncertainty.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "support/mark_stopped.hpp"

namespace gssl {

namespace {

constexpr std::int64_t default_rank = 100;
constexpr double default_noise = 0.01;

double mean_weighted_degree(const Graph& graph, int threads) {
  const std::vector<double> degrees = weighted_degrees(graph, threads);
  const double total = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  return total > 0.0 ? total / static_cast<double>(degrees.size()) : 1.0;
}

std::vector<char> mark(const Graph& graph, std::span<const VertexId> vertices, const char* what) {
  std::vector<char> marked(static_cast<std::size_t>(graph.vertex_count()), 0);
  for (const VertexId v : vertices) {
    if (v < 0 || v >= graph.vertex_count())
      throw Error(ErrorCode::bad_data, std::string(what) + " vertex " + std::to_string(v) +
                                           ": must be in [0, " +
                                           std::to_string(graph.vertex_count()) + ")");
    if (std::exchange(marked[static_cast<std::size_t>(v)], char{1}) != 0)
      throw Error(ErrorCode::bad_data, std::string(what) + " vertex " + std::to_string(v) +
                                           ": given twice: must be distinct");
  }
  return marked;
}

}  // namespace

class Asker::State {
 public:
  State(const Graph& graph, std::span<const VertexId> labeled, Candidates candidates,
        const AskOptions& options, const RunContext& run)
      : graph_(graph),
        asked_(options),
        options_(options),
        components_(connected_components(graph)),
        reached_(static_cast<std::size_t>(components_.count), false),
        open_(candidates ? mark(graph, *candidates, "candidate")
                         : std::vector<char>(static_cast<std::size_t>(graph.vertex_count()), 1)),
        labeled_(labeled.begin(), labeled.end()) {
    options_.validate();
    const std::vector<char> given = mark(graph, labeled, "labeled");
    for (std::size_t v = 0; v < open_.size(); ++v) {
      if (given[v] != 0) {
        open_[v] = 0;
        reached_[component(v)] = true;
      }
      remaining_ += open_[v];
    }
    std::int64_t reached = 0;
    for (VertexId v = 0; v < graph.vertex_count(); ++v) reached += is_open(v) && is_reached(v);
    if (options_.rank == AskOptions::automatic_rank) {
      const bool first = options_.unreached_first || reached == 0;
      const bool all =
          (first ? remaining_ : reached) <= detail::exact_limit || options_.noise == 0.0;
      options_.rank = all ? 0 : default_rank;
    }
    if (!options_.noise) options_.noise = options_.rank > 0 ? default_noise : 0.0;
    variance_ = *options_.noise / mean_weighted_degree(graph, run.thread_count());
    if (options_.criterion == Criterion::random) shuffle_candidates(run);
  }

  std::vector<Question> next(int count, const Scores* scores, const RunContext& run) {
    std::vector<Question> questions;
    if (count < 0) throw Error(ErrorCode::usage, "count of questions: must be ≥ 0");
    const auto wanted = static_cast<std::size_t>(count);
    if (options_.criterion == Criterion::random) {
      while (questions.size() < wanted && remaining_ > 0) {
        questions.push_back({.vertex = take_random()});
        take(questions.back().vertex);
      }
      return questions;
    }
    if (options_.unreached_first) ask_unreached(wanted, run, questions);
    ask_reached(wanted, scores, run, questions);
    if (!options_.unreached_first && ask_unreached(wanted, run, questions))
      ask_reached(wanted, scores, run, questions);  // of them the covariance says something
    const bool missing = questions.size() < wanted && remaining_ > 0;
    if (const auto why = run.stop(); why && missing) detail::mark_stopped(report_, *why);
    return questions;
  }

  std::unique_ptr<State> restarted(std::span<const VertexId> labeled, Candidates candidates,
                                   const RunContext& run) const {
    auto next = std::make_unique<State>(graph_, labeled, candidates, asked_, run);
    next->pairs_ = pairs_;
    return next;
  }

  const AskOptions& options() const { return options_; }
  std::int64_t remaining() const { return remaining_; }
  const Report& report() const { return report_; }

 private:
  std::size_t component(std::size_t v) const { return static_cast<std::size_t>(components_.of[v]); }
  bool is_open(VertexId v) const { return open_[static_cast<std::size_t>(v)] != 0; }
  bool is_reached(VertexId v) const { return reached_[component(static_cast<std::size_t>(v))]; }

  SolverOptions solver_options() const {
    return {.kind = options_.solver, .tolerance = options_.tolerance};
  }

  void take(VertexId v) {
    open_[static_cast<std::size_t>(v)] = 0;
    reached_[component(static_cast<std::size_t>(v))] = true;
    labeled_.push_back(v);
    --remaining_;
  }

  void shuffle_candidates(const RunContext& run) {
    for (VertexId v = 0; v < graph_.vertex_count(); ++v)
      if (is_open(v)) random_order_.push_back(v);
    Rng rng = run.rng();
    shuffle(random_order_, rng);
  }

  VertexId take_random() {
    const VertexId v = random_order_.back();
    random_order_.pop_back();
    return v;
  }

  // Components without a label that hold a candidate, the largest first; at most `count`.
  std::vector<VertexId> unreached_components(std::size_t count) const {
    std::vector<char> listed(reached_.size(), 0);
    std::vector<VertexId> found;
    for (std::size_t v = 0; v < open_.size(); ++v) {
      const std::size_t k = component(v);
      if (open_[v] == 0 || reached_[k] || listed[k] != 0) continue;
      listed[k] = 1;
      found.push_back(static_cast<VertexId>(k));
    }
    std::ranges::sort(found, [&](VertexId a, VertexId b) {
      const VertexId in_a = components_.sizes[static_cast<std::size_t>(a)];
      const VertexId in_b = components_.sizes[static_cast<std::size_t>(b)];
      return in_a != in_b ? in_a > in_b : a < b;
    });
    found.resize(std::min(found.size(), count));
    return found;
  }

  // Whether it asked any.
  bool ask_unreached(std::size_t wanted, const RunContext& run, std::vector<Question>& questions) {
    const std::vector<VertexId> chosen = unreached_components(wanted - questions.size());
    if (chosen.empty()) return false;
    covariance_.reset();  // it does not know these components
    const std::optional<std::vector<double>> potential = potentials(chosen, run);
    if (!potential) return false;
    std::vector<VertexId> best(reached_.size(), no_vertex);
    for (VertexId v = 0; v < graph_.vertex_count(); ++v) {
      VertexId& known = best[component(static_cast<std::size_t>(v))];
      const auto value = [&](VertexId u) { return (*potential)[static_cast<std::size_t>(u)]; };
      if (is_open(v) && (known == no_vertex || value(v) < value(known) * (1.0 - detail::tie)))
        known = v;
    }
    for (const VertexId k : chosen) {
      const VertexId v = best[static_cast<std::size_t>(k)];
      take(v);
      questions.push_back(
          {.vertex = v,
           .score = static_cast<double>(components_.sizes[static_cast<std::size_t>(k)]),
           .unreached = true});
    }
    return true;
  }

  // (L⁺)_vv, exactly in components of up to exact_limit vertices, else from eigenpairs.
  std::optional<std::vector<double>> potentials(const std::vector<VertexId>& chosen,
                                                const RunContext& run) {
    std::vector<VertexId> small;
    std::vector<VertexId> large;
    for (const VertexId k : chosen) {
      const bool exact = components_.sizes[static_cast<std::size_t>(k)] <= detail::exact_limit;
      (exact ? small : large).push_back(k);
    }
    std::vector<double> diagonal;
    if (!detail::potential_diagonal(graph_, components_, small, solver_options(), run, report_,
                                    diagonal))
      return std::nullopt;
    if (large.empty()) return diagonal;
    std::ranges::sort(large);
    detail::add_spectral_diagonal(find_pairs(std::move(large), run), diagonal);
    if (run.should_stop()) return std::nullopt;
    return diagonal;
  }

  // Eigenpairs of the given components, ascending; kept until others are wanted.
  const detail::ComponentSpectrum& find_pairs(std::vector<VertexId> chosen, const RunContext& run) {
    if (!pairs_ || pairs_->components != chosen) {
      run.report_progress("eigenpairs");
      pairs_ = std::make_shared<const detail::ComponentSpectrum>(
          detail::component_spectrum(graph_, components_, std::move(chosen),
                                     options_.rank > 0 ? options_.rank : default_rank, run));
    }
    const Spectrum& spectrum = pairs_->spectrum;
    double residual = 0.0;
    for (const double r : spectrum.residuals) residual = std::max(residual, r);
    if (report_.certificates.empty()) report_.certificates.push_back({"eigen_residual", {0.0}});
    double& largest = report_.certificates.front().values.front();
    largest = std::max(largest, residual);
    if (spectrum.outcome != Outcome::converged) {
      report_.outcome = spectrum.outcome;
      report_.sentence = spectrum.sentence;
    }
    if (report_.used.empty()) {
      report_.requested = spectrum.requested;
      report_.used = spectrum.used;
      report_.sentence = spectrum.sentence;
    }
    return *pairs_;
  }

  // Greedy choices among reached candidates.
  void ask_reached(std::size_t wanted, const Scores* scores, const RunContext& run,
                   std::vector<Question>& questions) {
    if (questions.size() == wanted) return;
    const bool scored = uses_scores(options_.criterion);
    if (scored) check(scores);
    const auto allowed = [&](VertexId v) {
      return is_open(v) && is_reached(v) &&
             (!scored || scores->status[static_cast<std::size_t>(v)] != VertexStatus::unreached);
    };
    const VertexId n = graph_.vertex_count();
    if (detail::first_best(n, allowed, [](VertexId) { return 0.0; }) == no_vertex) return;
    if (uses_covariance(options_.criterion) && !prepare_covariance(run)) return;
    std::vector<double> unsure(static_cast<std::size_t>(n), 1.0);
    for (VertexId v = 0; scored && v < n; ++v)
      if (allowed(v))
        unsure[static_cast<std::size_t>(v)] =
            detail::uncertainty(options_.criterion, scores->values.row(v));
    const auto value = [&](VertexId v) {
      return unsure[static_cast<std::size_t>(v)] * covariance_factor(static_cast<std::size_t>(v));
    };
    while (questions.size() < wanted && !run.should_stop()) {
      const VertexId v = detail::first_best(n, allowed, value);
      if (v == no_vertex) return;
      questions.push_back({.vertex = v, .score = value(v)});
      take(v);
      if (uses_covariance(options_.criterion)) learn(v, run);
    }
  }

  void check(const Scores* scores) const {
    const std::string name(to_string(options_.criterion));
    if (scores == nullptr) throw Error(ErrorCode::usage, name + ": needs the scores of a fit");
    const auto reached = [](VertexStatus status) { return status != VertexStatus::unreached; };
    const VertexId n = graph_.vertex_count();
    if (std::ssize(scores->status) != n ||
        (scores->values.rows() != n && std::ranges::any_of(scores->status, reached)))
      throw Error(ErrorCode::bad_data,
                  name + ": scores of " + std::to_string(scores->values.rows()) +
                      " vertices, status of " + std::to_string(scores->status.size()) +
                      ": must be " + std::to_string(n) + ", one for each vertex");
  }

  // What the criterion takes from column C_v.
  double covariance_factor(std::size_t v) const {
    if (!uses_covariance(options_.criterion)) return 1.0;
    const double delta = variance_ + moments_.variance[v];
    if (!(delta > 0.0)) return 0.0;  // fully known
    const double square = std::max(0.0, moments_.square[v]);
    switch (options_.criterion) {
      case Criterion::sigma_opt: return moments_.sum[v] * moments_.sum[v] / delta;
      case Criterion::model_change: return std::sqrt(square) / delta;
      default: return square / delta;
    }
  }

  bool prepare_covariance(const RunContext& run) {
    if (covariance_) return true;
    const detail::CovarianceProblem problem{
        .graph = graph_, .labeled = labeled_, .variance = variance_};
    if (options_.rank > 0) {
      std::vector<VertexId> reached;
      for (VertexId k = 0; k < components_.count; ++k)
        if (reached_[static_cast<std::size_t>(k)]) reached.push_back(k);
      const detail::ComponentSpectrum& pairs = find_pairs(std::move(reached), run);
      if (run.should_stop()) return false;
      covariance_ = detail::spectral_covariance(problem, pairs, run);
      if (!covariance_) return false;
    } else {
      covariance_ = detail::solved_covariance(problem, solver_options(), run, report_);
    }
    std::vector<VertexId> asked;
    for (VertexId v = 0; v < graph_.vertex_count(); ++v)
      if (is_open(v) && is_reached(v)) asked.push_back(v);
    moments_ = detail::Moments(graph_.vertex_count());
    if (covariance_->moments(asked, run, moments_)) return true;
    covariance_.reset();
    return false;
  }

  // C and its moments once v is known.
  void learn(VertexId v, const RunContext& run) {
    const detail::CovarianceColumn column = covariance_->column(v, run);
    const std::vector<double>& c = column.column;
    const double delta = variance_ + c[static_cast<std::size_t>(v)];
    if (!(delta > 0.0)) return;
    const auto at = static_cast<std::size_t>(v);
    const double square = column.image[at];  // C_v·C_v
    const double sum = std::accumulate(c.begin(), c.end(), 0.0);
    for (std::size_t u = 0; u < c.size(); ++u) {
      const double share = c[u] / delta;
      moments_.variance[u] = std::max(0.0, moments_.variance[u] - share * c[u]);
      moments_.square[u] += share * (share * square - 2.0 * column.image[u]);
      moments_.sum[u] -= share * sum;
    }
    covariance_->condition(v, column, delta);
  }

  const Graph& graph_;
  AskOptions asked_;
  AskOptions options_;  // with what was automatic decided
  Components components_;
  std::vector<bool> reached_;  // of each component: it holds a label
  std::vector<char> open_;     // of each vertex: it may still be asked
  std::vector<VertexId> labeled_;
  std::vector<VertexId> random_order_;
  std::int64_t remaining_ = 0;
  double variance_ = 0.0;  // γ²
  Report report_;
  std::shared_ptr<const detail::ComponentSpectrum> pairs_;  // covariance_ may refer to it
  std::unique_ptr<detail::Covariance> covariance_;
  detail::Moments moments_;
};

Asker::Asker(const Graph& graph, std::span<const VertexId> labeled, Candidates candidates,
             const AskOptions& options, const RunContext& run)
    : state_(std::make_unique<State>(graph, labeled, candidates, options, run)) {}
Asker::~Asker() = default;
Asker::Asker(Asker&&) noexcept = default;

std::vector<Question> Asker::next(int count, const Scores* scores, const RunContext& run) {
  return state_->next(count, scores, run);
}
void Asker::restart(std::span<const VertexId> labeled, Candidates candidates,
                    const RunContext& run) {
  state_ = state_->restarted(labeled, candidates, run);
}
const AskOptions& Asker::options() const { return state_->options(); }
std::int64_t Asker::remaining() const { return state_->remaining(); }
const Report& Asker::report() const { return state_->report(); }

}  // namespace gssl
