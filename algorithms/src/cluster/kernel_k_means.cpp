#include "gssl/cluster/kernel_k_means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "cluster/kernel_lloyd.hpp"
#include "gssl/cluster/spectral.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/kernel/gram.hpp"
#include "gssl/kernel/graph_expression.hpp"
#include "kernel/kernel_choice.hpp"

namespace gssl {
namespace {

constexpr std::uint64_t first_kernel_stream = 6'000'000;
constexpr std::int64_t estimating_columns = 32;

// Of a graph kernel: solves, of which the worst report is kept.
template <class OfGraph>
class GraphProducts final : public detail::KernelProducts {
 public:
  GraphProducts(const OfGraph& kernel, double tolerance, const RunContext& run)
      : kernel_(kernel), tolerance_(tolerance), run_(run) {
    worst_.used = "none";
  }
  std::int64_t size() const override { return kernel_.size(); }
  Block of(const Block& x) override { return kept(kernel_.product(x, run_)); }
  Block columns(const std::vector<VertexId>& vertices) override {
    return kept(kernel_.columns(vertices, run_));
  }
  // K_vv: with random signs z the mean of z ∘ Kz, and no less than nothing.
  std::vector<double> diagonal(Rng rng) override {
    const VertexId n = kernel_.size();
    Block signs(n, estimating_columns);
    for (std::int64_t i = 0; i < n * estimating_columns; ++i)
      signs.data()[i] = rng.below(2) == 0 ? -1.0 : 1.0;
    const Block product = of(signs);
    std::vector<double> diagonal(index(n));
    for (VertexId v = 0; v < n; ++v) {
      double sum = 0.0;
      for (std::int64_t j = 0; j < estimating_columns; ++j) sum += signs(v, j) * product(v, j);
      diagonal[index(v)] = std::max(0.0, sum / static_cast<double>(estimating_columns));
    }
    return diagonal;
  }
  double tolerance() const override { return tolerance_; }
  const SolveReport& worst() const { return worst_; }

 private:
  Block kept(KernelProduct product) {
    merge(worst_, solve_report(product.report));
    return std::move(product.values);
  }
  const OfGraph& kernel_;
  double tolerance_;
  const RunContext& run_;
  SolveReport worst_;
};

// Of a Gram matrix: rows by the hundred, none kept.
class GramProducts final : public detail::KernelProducts {
 public:
  GramProducts(const Gram& gram, const RunContext& run) : gram_(gram), run_(run) {}
  std::int64_t size() const override { return gram_.size(); }
  Block of(const Block& x) override {
    Block y(x.rows(), x.columns());
    for_rows([&](std::int64_t i, const double* row) {
      for (std::int64_t j = 0; j < x.rows(); ++j)
        for (std::int64_t c = 0; c < x.columns(); ++c) y(i, c) += row[j] * x(j, c);
    });
    return y;
  }
  Block columns(const std::vector<VertexId>& items) override {
    Block rows(std::ssize(items), gram_.size()), turned(gram_.size(), std::ssize(items));
    std::vector<double*> to;
    for (std::int64_t i = 0; i < rows.rows(); ++i) to.push_back(rows.row(i).data());
    gram_.rows(items, to, run_);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
      for (std::int64_t j = 0; j < rows.columns(); ++j) turned(j, i) = rows(i, j);
    return turned;
  }
  std::vector<double> diagonal(Rng) override { return gram_.diagonal(run_); }
  double tolerance() const override { return 1e-13; }

 private:
  template <class Body>
  void for_rows(Body&& body) const {
    constexpr std::int64_t rows_at_once = 256;
    const std::int64_t n = gram_.size();
    Block rows(std::min(n, rows_at_once), n);
    for (std::int64_t first = 0; first < n; first += rows_at_once) {
      std::vector<std::int32_t> which(index(std::min(rows_at_once, n - first)));
      std::iota(which.begin(), which.end(), static_cast<std::int32_t>(first));
      std::vector<double*> to;
      for (std::int64_t i = 0; i < std::ssize(which); ++i) to.push_back(rows.row(i).data());
      gram_.rows(which, to, run_);
      parallel_blocks(
          std::ssize(which), run_.thread_count(),
          [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) body(first + i, rows.row(i).data());
          },
          16);
    }
  }
  const Gram& gram_;
  const RunContext& run_;
};

// Of several starts the one of most similarity; numbers clusters and writes the report.
void best_start(detail::KernelProducts& products, int k, const KernelKMeansOptions& options,
                const RunContext& run, Partition& found) {
  detail::LloydFound best;
  int starts = 0;
  while (starts < options.restarts && !(starts > 0 && run.should_stop())) {
    const std::uint64_t stream = first_kernel_stream + 2 * static_cast<std::uint64_t>(starts++);
    detail::LloydFound one = detail::kernel_lloyd(products, products.diagonal(run.rng(stream)), k,
                                                  options.max_rounds, run, run.rng(stream + 1));
    if (starts == 1 || detail::is_better(one, best)) best = std::move(one);
  }
  found.cluster_of = std::move(best.cluster_of);
  found.count = number_by_first_vertex(found.cluster_of);
  Ending& ending = found.report;
  ending.outcome = worse(ending.outcome, best.outcome);
  ending.iterations = std::ssize(best.similarity);
  const bool settled = best.outcome == Outcome::converged;
  ending.sentence =
      "kernel-k-means: " + std::string(settled ? "nothing moves" : "still moving") + " after " +
      std::to_string(ending.iterations) + " rounds" +
      (best.similarity.empty() ? std::string()
                               : ", similarity " + to_brief_text(best.similarity.back())) +
      ", best of " + std::to_string(starts) + " starts";
  found.report.certificates.push_back({"similarity", std::move(best.similarity)});
  if (found.count < k)
    found.report.warnings.push_back("only " + std::to_string(found.count) + " of " +
                                    std::to_string(k) + " clusters have a vertex");
}

void check_count(int k, std::int64_t n, const char* items) {
  if (k < 1 || k > n)
    throw Error(ErrorCode::usage, "kernel-k-means: " + std::to_string(k) + " clusters of " +
                                      std::to_string(n) + " " + items +
                                      ": must be at least 1 and at most the " + items);
}

template <class OfGraph>
void cluster_by(const OfGraph& kernel, double tolerance, int k, const KernelKMeansOptions& options,
                const RunContext& run, Partition& found) {
  const Stopwatch solving;
  GraphProducts<OfGraph> products(kernel, tolerance, run);
  best_start(products, k, options, run, found);
  found.report.solve_seconds = solving.seconds();
  Ending& ending = found.report;
  const Ending own = ending;
  take_solve(found.report, products.worst());
  if (ending.outcome == Outcome::converged)
    ending.outcome = own.outcome;
  else if (!run.should_stop())
    found.report.warnings.push_back("products with the kernel miss their tolerance: " +
                                    ending.sentence);
  ending.iterations = own.iterations;
  ending.sentence = own.sentence;
}

}  // namespace

void KernelKMeansOptions::validate() const {
  const auto refuse = [](const char* option, int value) {
    throw Error(ErrorCode::usage, std::string("kernel-k-means: option ") + option + "=" +
                                      std::to_string(value) + ": must be ≥ 1");
  };
  if (restarts < 1) refuse("restarts", restarts);
  if (max_rounds < 1) refuse("rounds", max_rounds);
  kernel.validate();
  if (!expression.empty()) GraphKernelExpression::check(expression);
}

KernelKMeansClusterer::KernelKMeansClusterer(KernelKMeansOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Partition KernelKMeansClusterer::cluster(const Graph& graph, int k, const RunContext& run) const {
  check_count(k, graph.vertex_count(), "vertices");
  Partition found;
  const Stopwatch setup;
  const auto owned = std::make_shared<const Graph>(graph);
  if (options_.expression.empty()) {
    const GraphKernel kernel(owned, options_.kernel, run);
    found.report.setup_seconds = setup.seconds();
    cluster_by(kernel, kernel.options().tolerance, k, options_, run, found);
    found.report.requested = to_string(options_.kernel.kind);
  } else {
    const GraphKernelExpression kernel(owned, options_.expression, run);
    found.report.setup_seconds = setup.seconds();
    cluster_by(kernel, std::max(kernel.tolerance(), 1e-13), k, options_, run, found);
    found.report.requested = kernel.spec();
  }
  return found;
}

Partition cluster_points(const std::string& kernel, const Points& points, int k,
                         const KernelKMeansOptions& options, const RunContext& run) {
  options.validate();
  check_count(k, points.rows(), "rows");
  Partition found;
  const Stopwatch solving;
  const auto made = detail::kernel_on_points("kernel-k-means", kernel, points, {});
  const auto gram = gram_of_points(made, points);
  GramProducts products(*gram, run);
  best_start(products, k, options, run, found);
  found.report.solve_seconds = solving.seconds();
  found.report.requested = found.report.used = made->spec();
  return found;
}

int KernelKMeansClusterer::suggest_count(const Graph& graph, int most,
                                         const RunContext& run) const {
  return SpectralClusterer({.variant = SpectralVariant::ratio_cut}).suggest_count(graph, most, run);
}

namespace {

// Options beside an expression would be of none of its kernels.
std::string expression_of(const std::string& text, const OptionValues& values) {
  for (const std::string& name : kernel_names()) {
    const OptionTable options = kernel_options(parse_kernel(name).kind);
    for (const OptionSpec& spec : options.specs())
      if (values.changed(spec.name))
        throw Error(ErrorCode::usage, "kernel-k-means: option " + spec.name +
                                          ": beside an expression: write it in the brackets of "
                                          "the kernel that it is of");
  }
  return text;
}

// What it has beside the kernel.
const OptionBinding<KernelKMeansOptions>& rounds_binding() {
  static const auto options =
      OptionBinding<KernelKMeansOptions>("kernel-k-means")
          .integer(&KernelKMeansOptions::restarts, "restarts", {.low = 1, .high = 1'000'000},
                   "starts")
          .integer(&KernelKMeansOptions::max_rounds, "rounds", {.low = 1, .high = 1'000'000},
                   "limit of rounds for each start");
  return options;
}

}  // namespace

LearnerEntry kernel_k_means_entry() {
  LearnerEntry entry;
  entry.name = "kernel-k-means";
  entry.summary = "k-means in the space of a graph kernel";
  entry.reference =
      "I. Dhillon, Y. Guan, B. Kulis. Kernel k-means, spectral clustering and normalized cuts. KDD "
      "2004, doi:10.1145/1014052.1014118";
  entry.options.text("kernel", "diffusion",
                     "of gssl kernel, with the options below, or an expression of them with "
                     "theirs in brackets, as diffusion(time=2)+0.1*pseudoinverse");
  for (const std::string& name : kernel_names())
    entry.options.add(kernel_options(parse_kernel(name).kind));
  entry.options.add(rounds_binding().table());
  entry.make_clusterer = [](const OptionValues& values) -> std::unique_ptr<Clusterer> {
    KernelKMeansOptions options = rounds_binding().from(values);
    const std::string& kernel = values.text("kernel");
    if (std::ranges::count(kernel_names(), kernel) > 0)
      options.kernel = kernel_from(kernel, values, "kernel-k-means");
    else
      options.expression = expression_of(kernel, values);
    return std::make_unique<KernelKMeansClusterer>(options);
  };
  return entry;
}

}  // namespace gssl
