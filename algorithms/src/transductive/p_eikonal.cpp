#include "gssl/transductive/p_eikonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <queue>
#include <utility>

#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/inverse_distance.hpp"
#include "transductive/support/label_groups.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t looks_between_stops = 1 << 16;

// A neighbor the front has passed.
struct Passed {
  double value;
  double weight;
};

double power(double base, double p) {
  if (p == 1.0) return base;
  return p == 2.0 ? base * base : std::pow(base, p);
}

double left_side(const std::vector<Passed>& passed, double x, double p) {
  double sum = 0.0;
  for (const auto& [value, weight] : passed)
    if (x > value) sum += weight * power(x - value, p);
  return sum;
}

// The x with Σ w (x − value)₊^p = f. The left side is convex and grows where it is positive, and
// each neighbor alone gives an upper bound, so Newton's steps from the least of these go down to
// it.
double meet(const std::vector<Passed>& passed, double f, double p) {
  double x = infinity;
  for (const auto& [value, weight] : passed) x = std::min(x, value + std::pow(f / weight, 1.0 / p));
  for (int step = 0; step < 200; ++step) {
    double sum = -f;
    double slope = 0.0;
    for (const auto& [value, weight] : passed) {
      if (!(x > value)) continue;
      const double lower = weight * (p == 1.0 ? 1.0 : power(x - value, p - 1.0));
      sum += lower * (x - value);
      slope += p * lower;
    }
    if (!(sum > 0.0) || !(slope > 0.0)) break;
    const double next = x - sum / slope;
    if (!(next < x)) break;
    x = next;
  }
  return x;
}

// How many of the vertices the fronts of all classes have passed, several at a time.
class FrontProgress {
 public:
  FrontProgress(double all, const RunContext& run) : all_(all), run_(run) {
    run_.report_progress("p-eikonal", 0.0);
  }
  void add(std::int64_t passed) {
    const std::lock_guard lock(mutex_);
    passed_ += static_cast<double>(passed);
    run_.report_progress("p-eikonal", passed_ / all_);
  }

 private:
  double all_;
  const RunContext& run_;
  std::mutex mutex_;
  double passed_ = 0.0;
};

// x of one class; infinity where its labels do not reach.
std::vector<double> march(const Graph& graph, const std::vector<VertexId>& sources,
                          const std::vector<double>& f, double p, FrontProgress& progress,
                          const RunContext& run) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> x(n, infinity);
  std::vector<char> done(n, 0);
  using Entry = std::pair<double, VertexId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  for (const VertexId v : sources) {
    x[static_cast<std::size_t>(v)] = 0.0;
    front.emplace(0.0, v);
  }
  std::vector<Passed> passed;
  std::int64_t looks = 0, next_stop = 0;  // entries of rows; a hub has millions
  std::int64_t passed_by = 0;             // vertices since progress was told
  while (!front.empty()) {
    const VertexId u = front.top().second;
    front.pop();
    if (done[static_cast<std::size_t>(u)] != 0) continue;
    done[static_cast<std::size_t>(u)] = 1;
    ++passed_by;
    for (const VertexId v : graph.neighbors(u)) {
      if (done[static_cast<std::size_t>(v)] != 0) continue;
      if (looks >= next_stop) {
        run.throw_if_stopped("p-eikonal", "before its front was through");
        next_stop = looks + looks_between_stops;
        progress.add(std::exchange(passed_by, 0));
      }
      looks += graph.degree(v);
      passed.clear();
      graph.visit_row(v, [&](VertexId other, double weight) {
        if (done[static_cast<std::size_t>(other)] != 0)
          passed.push_back({x[static_cast<std::size_t>(other)], weight});
      });
      const double value = meet(passed, f[static_cast<std::size_t>(v)], p);
      if (value < x[static_cast<std::size_t>(v)]) {
        x[static_cast<std::size_t>(v)] = value;
        front.emplace(value, v);
      }
    }
  }
  return x;
}

// Largest |left side / f − 1| off the labels of the class.
double equation_residual(const Graph& graph, const std::vector<double>& x,
                         const std::vector<double>& f, double p) {
  double worst = 0.0;
  std::vector<Passed> neighbors;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const double value = x[static_cast<std::size_t>(v)];
    if (value == 0.0 || value == infinity) continue;
    neighbors.clear();
    graph.visit_row(v, [&](VertexId u, double weight) {
      neighbors.push_back({x[static_cast<std::size_t>(u)], weight});
    });
    worst = std::max(
        worst, std::abs(left_side(neighbors, value, p) / f[static_cast<std::size_t>(v)] - 1.0));
  }
  return worst;
}

const OptionBinding<PEikonalOptions>& p_eikonal_binding() {
  static const auto options =
      OptionBinding<PEikonalOptions>("p-eikonal")
          .real(&PEikonalOptions::p, "p", {.low = 1.0, .high = 100.0},
                "exponent; large: close to shortest paths")
          .real(&PEikonalOptions::density, "density", detail::not_negative,
                "slows the front at weakly tied vertices as (mean degree / degree) to this power");
  return options;
}

}  // namespace

void PEikonalOptions::validate() const { p_eikonal_binding().validate(*this); }

PEikonalLearner::PEikonalLearner(PEikonalOptions options) : options_(options) {
  options_.validate();
}

Fit PEikonalLearner::fit(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run) const {
  detail::check_problem("p-eikonal", graph, labeled, detail::Regression::unsupported);
  Report report;
  const Stopwatch setup;
  const detail::LabelGroups groups(graph, labeled, run.thread_count());
  const auto classes = static_cast<std::size_t>(labeled.class_count());
  std::vector<std::vector<VertexId>> sources(classes);
  for (std::size_t i = 0; i < labeled.size(); ++i)
    sources[static_cast<std::size_t>(labeled.class_of()[i])].push_back(labeled.vertices()[i]);
  // The mean degree divides out the scale of the weights and with it the risk of overflow.
  std::vector<double> f(static_cast<std::size_t>(graph.vertex_count()), 1.0);
  groups.for_members(run.thread_count(), [&](VertexId v) {
    const double mean = groups.mean_degree(groups.of(v));
    const double degree = groups.degrees()[static_cast<std::size_t>(v)];
    f[static_cast<std::size_t>(v)] =
        mean * (degree > 0.0 ? std::pow(mean / degree, options_.density) : 1.0);
  });
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  Block scores(graph.vertex_count(), labeled.class_count());
  FrontProgress progress(static_cast<double>(scores.values().size()), run);
  std::vector<double> residual(classes, 0.0);
  parallel_blocks(
      labeled.class_count(), run.thread_count(),
      [&](std::int64_t k, std::int64_t) {
        const std::vector<double> x =
            march(graph, sources[static_cast<std::size_t>(k)], f, options_.p, progress, run);
        residual[static_cast<std::size_t>(k)] = equation_residual(graph, x, f, options_.p);
        for (std::size_t v = 0; v < x.size(); ++v) scores(static_cast<std::int64_t>(v), k) = x[v];
      },
      1);
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    detail::inverse_distance_shares(scores.row(v));
  detail::set_given_rows(scores, labeled, run.thread_count());
  report.solve_seconds = solving.seconds();
  report.requested = report.used = "fast-march";
  const double worst = *std::ranges::max_element(residual);
  report.system_numbers().relative_residual = worst;
  if (!(worst < 1e-6)) report.outcome = Outcome::breakdown;
  report.sentence = "fast march: largest residual " + to_brief_text(worst);
  report.certificates.push_back({"residual", std::move(residual)});
  return detail::finish_fit(
      std::move(scores), detail::vertex_status(graph.vertex_count(), labeled, groups.unreached()),
      labeled, detail::GivenLabels::hard, std::move(report));
}

LearnerEntry p_eikonal_entry() {
  LearnerEntry entry;
  entry.name = "p-eikonal";
  entry.summary = "the class whose labels a front that feels density reaches first";
  entry.reference =
      "J. Calder, M. Ettehad. Hamilton-Jacobi equations on graphs with applications to "
      "semi-supervised learning and data depth. JMLR 23(318), 2022, doi:10.48550/arXiv.2202.08789";
  entry.options = p_eikonal_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<PEikonalLearner>(p_eikonal_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
