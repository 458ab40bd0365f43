#include "gssl/transductive/cut_ssl.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/given_rows.hpp"
#include "support/unfinished.hpp"
#include "transductive/partition/threshold_dynamics.hpp"
#include "transductive/partition/volume_projection.hpp"
#include "transductive/support/implicit_diffusion.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl {

namespace {

constexpr double most_concave = 2.0;   // D⁻¹L has no eigenvalue above it
constexpr double penalty_floor = 0.3;  // σ of the header
constexpr double settled = 1e-3;       // largest change of a membership, and ‖X − Z‖
constexpr double corner = 1e-3;        // a row whose largest entry is that close to one is a corner

// The alternating directions of the header. Rows of the blocks are the free vertices.
class Splitting {
 public:
  Splitting(const Graph& graph, const LabeledSet& labeled, const detail::LabelGroups& groups,
            const Block& volumes, const CutSslOptions& options, const RunContext& run)
      : groups_(groups),
        options_(options),
        run_(run),
        problem_(make_dirichlet_problem(graph, labeled.vertices())),
        parts_(static_cast<std::size_t>(groups.count())) {
    report_.used = "none";
    run.throw_if_stopped("cut-ssl", "before it began");
    pull_ = problem_.right_hand_side(labeled.target_block());
    for (Block* half : {&right_, &solved_}) *half = block(pull_.columns() - 1);
    for (Block* whole : {&z_, &u_, &next_}) *whole = block(pull_.columns());
    for (std::int64_t r = 0; r < pull_.rows(); ++r) {
      const VertexId v = vertex(r);
      degree_.push_back(groups.degrees()[static_cast<std::size_t>(v)]);
      part_of(r).rows.push_back(static_cast<VertexId>(r));
    }
    for (int g = 0; g < groups.count(); ++g) prepare(g, volumes);
  }

  // At this s, from what is there, until every part is settled, the limit is reached or the run
  // is stopped.
  void relax(double s) {
    // Twice what is concave: less, and the directions do not come to rest.
    const double penalty = 2.0 * s + penalty_floor;
    std::vector<double> ground = degree_;
    for (double& value : ground) value *= penalty - s;
    detail::ImplicitDiffusion system(problem_.system.with_extra_ground(ground),
                                     detail::solver_options(options_), right_.columns(), run_);
    for (std::int64_t r = 0; r < u_.rows(); ++r)
      for (double& value : u_.row(r)) value *= penalty_ / penalty;
    for (Part& part : parts_) {
      for (double& price : part.price) price *= penalty_ / penalty;
      part.settled = part.done;
    }
    penalty_ = penalty;
    for (std::int64_t i = 0; i < options_.iterations && !is_settled() && !run_.should_stop(); ++i) {
      step(system);
      ++iterations_;
      run_.report_progress("cut-ssl",
                           s / most_concave);  // and less, where all rows are whole before
    }
    for (Part& part : parts_) part.done = part.settled && is_partition(part);
    merge(report_, system.report());
  }

  bool is_settled() const {
    return std::ranges::all_of(parts_, [](const Part& part) { return part.settled; });
  }
  bool is_done() const {
    return std::ranges::all_of(parts_, [](const Part& part) { return part.done; });
  }
  std::int64_t split() const {
    std::int64_t sum = 0;
    for (const Part& part : parts_) sum += split(part);
    return sum;
  }
  std::int64_t iterations() const { return iterations_; }
  const SolveReport& report() const { return report_; }

  // Z in the rows of its vertices.
  void copy_to(Block& memberships) const {
    for (std::int64_t r = 0; r < z_.rows(); ++r)
      std::ranges::copy(z_.row(r), memberships.row(vertex(r)).begin());
  }

 private:
  // The free vertices of one component, the classes they may take, and how many of them each.
  struct Part {
    std::vector<VertexId> rows;
    std::vector<int> classes;
    std::vector<double> room;  // empty: free
    std::vector<double> price;
    bool settled = false;  // at this s
    bool done = false;     // and a partition: no larger s is asked for
  };

  // Of many classes it takes a while to be had.
  Block block(std::int64_t columns) const {
    run_.throw_if_stopped("cut-ssl", "before it began");
    return {pull_.rows(), columns};
  }
  VertexId vertex(std::int64_t r) const {
    return problem_.free_vertices[static_cast<std::size_t>(r)];
  }
  Part& part_of(std::int64_t r) { return parts_[static_cast<std::size_t>(groups_.of(vertex(r)))]; }

  void prepare(int g, const Block& volumes) {
    Part& part = parts_[static_cast<std::size_t>(g)];
    double sum = 0.0;
    for (int k = 0; k < pull_.columns(); ++k) {
      if (!groups_.has_class(g, k) || (volumes.rows() > 0 && !(volumes(g, k) > 0.0))) continue;
      part.classes.push_back(k);
      if (volumes.rows() == 0) continue;
      part.room.push_back(
          std::max(volumes(g, k) - groups_.label_count(g, k), 1e-3 * volumes(g, k)));
      sum += part.room.back();
    }
    for (double& room : part.room) room *= static_cast<double>(part.rows.size()) / sum;
    part.price.assign(part.classes.size(), 0.0);
    part.done = part.rows.empty();
    for (const VertexId r : part.rows)
      for (const int k : part.classes) z_(r, k) = 1.0 / static_cast<double>(part.classes.size());
  }

  std::int64_t split(const Part& part) const {
    return std::ranges::count_if(
        part.rows, [&](VertexId r) { return std::ranges::max(z_.row(r)) < 1.0 - corner; });
  }

  // No more rows that are no corner than the sizes split at a corner of the polytope.
  bool is_partition(const Part& part) const {
    const bool whole = std::ranges::all_of(
        part.room, [](double room) { return std::abs(room - std::round(room)) < 1e-6; });
    return split(part) <= (whole ? 0 : std::ssize(part.classes) - 1);
  }

  // X, then Z = the projection of X + U on the polytope, then U += X − Z. The rows of X may add up
  // to one as those of Z do, since what is along the ones the projection does not see: K−1 columns.
  void step(detail::ImplicitDiffusion& system) {
    parallel_blocks(pull_.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        const std::vector<int>& classes = part_of(r).classes;
        const double weight = penalty_ * degree_[static_cast<std::size_t>(r)];
        const auto value = [&](int k) { return pull_(r, k) + weight * (z_(r, k) - u_(r, k)); };
        double mean = 0.0;
        for (const int k : classes) mean += value(k) / static_cast<double>(classes.size());
        for (const int k : classes)
          if (k < right_.columns()) right_(r, k) = value(k) - mean;
      }
    });
    system.solve(right_, solved_, iterations_ > 0);
    for (Part& part : parts_)
      if (!part.settled && !run_.should_stop()) project(part);
  }

  double x(VertexId r, int k, double share) const {
    if (k < solved_.columns()) return solved_(r, k) + share;
    double rest = share;
    for (const double value : solved_.row(r)) rest -= value;
    return rest;
  }

  void project(Part& part) {
    const double share = 1.0 / static_cast<double>(part.classes.size());
    for (const VertexId r : part.rows)
      for (const int k : part.classes) next_(r, k) = u_(r, k) += x(r, k, share);
    detail::project_to_volumes(next_, part.rows, degree_, part.classes, part.room, part.price,
                               run_);
    if (run_.should_stop()) return;
    double change = 0.0;
    for (const VertexId r : part.rows)
      for (const int k : part.classes) {
        change = std::max(
            {change, std::abs(next_(r, k) - z_(r, k)), std::abs(x(r, k, share) - next_(r, k))});
        u_(r, k) -= next_(r, k);
        z_(r, k) = next_(r, k);
      }
    part.settled = change <= settled;
  }

  const detail::LabelGroups& groups_;
  const CutSslOptions& options_;
  const RunContext& run_;
  DirichletProblem problem_;
  Block pull_;                  // W_uℓ Y
  std::vector<double> degree_;  // of each row
  std::vector<Part> parts_;
  Block right_, solved_;  // all columns but the last
  Block z_, u_, next_;
  double penalty_ = 0.0;
  std::int64_t iterations_ = 0;
  SolveReport report_;
};

// Σ w/2 ‖x_u − x_v‖².
double cut_of(const Graph& graph, const Block& x, int threads) {
  return blocked_sum(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    double sum = 0.0;
    for (auto v = static_cast<VertexId>(begin); v < end; ++v)
      graph.visit_row(v, [&](VertexId u, double w) {
        if (u > v) return;
        for (std::int64_t k = 0; k < x.columns(); ++k)
          sum += 0.5 * w * (x(u, k) - x(v, k)) * (x(u, k) - x(v, k));
      });
    return sum;
  });
}

std::vector<double> volume_errors(const detail::LabelGroups& groups, const Block& x,
                                  const Block& volumes, int threads) {
  std::vector<double> errors;
  for (int g = 0; g < static_cast<int>(volumes.rows()); ++g) {
    const std::vector<double> held = detail::class_volumes(x, groups.members(g), threads);
    double worst = 0.0;
    for (std::size_t k = 0; k < held.size(); ++k)
      worst = std::max(worst, std::abs(volumes(g, static_cast<std::int64_t>(k)) - held[k]));
    errors.push_back(worst / static_cast<double>(groups.members(g).size()));
  }
  return errors;
}

const OptionBinding<CutSslOptions>& cut_ssl_binding() {
  static const auto options =
      OptionBinding<CutSslOptions>("cut-ssl")
          .real(&CutSslOptions::step, "step", {.low = 0.0, .high = most_concave, .low_open = true},
                "by which the concave term rises")
          .integer(&CutSslOptions::iterations, "iterations", {.low = 1},
                   "limit at each of its values")
          .with(detail::mass_group("class sizes: free (none), as the labels (cmn) or given ones"))
          .with(detail::solver_group);
  return options;
}

}  // namespace

void CutSslOptions::validate() const { cut_ssl_binding().validate(*this); }

CutSslLearner::CutSslLearner(CutSslOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit CutSslLearner::fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run) const {
  detail::check_problem("cut-ssl", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("cut-ssl", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const VertexId n = graph.vertex_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  const Block volumes = detail::volumes_for(groups, options_.mass, options_.priors);
  detail::warn_of_uneven_labels(labeled, options_.mass, report);
  Splitting splitting(graph, labeled, groups, volumes, options_, run);
  run.throw_if_stopped("cut-ssl", "before it began");
  Block given(n, labeled.class_count());
  detail::set_given_rows(given, labeled, run.thread_count());
  std::vector<char> is_given(static_cast<std::size_t>(n), 0);
  for (const VertexId v : labeled.vertices()) is_given[static_cast<std::size_t>(v)] = 1;
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  detail::ClassPartition partition;
  double s = 0.0;
  splitting.relax(s);
  run.throw_if_stopped("cut-ssl", "before the partition came to rest");
  partition.value = given;
  splitting.copy_to(partition.value);
  while (!splitting.is_done() && s < most_concave && !run.should_stop()) {
    s = std::min(most_concave, s + options_.step);
    splitting.relax(s);
  }
  run.throw_if_stopped("cut-ssl", "before the partition came to rest");
  Block last = given;
  splitting.copy_to(last);
  partition.membership = detail::assign(groups, last, volumes, is_given, given, run);

  take_solve(report, splitting.report());
  report.requested = to_string(options_.solver);
  report.iterations = splitting.iterations();
  if (!splitting.is_settled() && report.converged()) report.outcome = Outcome::iteration_limit;
  const double cut = cut_of(graph, partition.membership, threads);
  report.sentence = std::string(splitting.is_done() ? "a partition" : "rounded to a partition") +
                    " of cut " + to_brief_text(cut) + " after " +
                    std::to_string(splitting.iterations()) + " iterations, s raised to " +
                    to_brief_text(s);
  report.certificates.push_back({"cut", {cut}});
  if (volumes.rows() > 0)
    report.certificates.push_back(
        {"volume_error", volume_errors(groups, partition.membership, volumes, threads)});
  report.certificates.push_back({"concavity", {s}});
  report.certificates.push_back({"split", {static_cast<double>(splitting.split())}});
  report.solve_seconds = solving.seconds();
  return detail::fit_partition(groups, partition, labeled, detail::GivenLabels::hard,
                               std::move(report), threads);
}

LearnerEntry cut_ssl_entry() {
  LearnerEntry entry;
  entry.name = "cut-ssl";
  entry.summary = "the least cut with given class sizes, by a program made concave step by step";
  entry.reference =
      "C. Holtz, P. Chen, Z. Wan, C.-K. Cheng, G. Mishne. Continuous partitioning for graph-based "
      "semi-supervised learning. NeurIPS 2024, https://openreview.net/forum?id=hCOuip5Ona";
  entry.options = cut_ssl_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<CutSslLearner>(cut_ssl_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
