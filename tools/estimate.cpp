#include "estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>

#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/peak_memory.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/io/output_file.hpp"
#include "gssl/io/table_writer.hpp"
#include "gssl/transductive/fit_memory.hpp"

namespace gssl::tool {
namespace {

// Calls body(row, visit) for rows from the first until it returns false; visit(f) calls
// f(neighbor, weight) for the entries of the row.
template <class Body>
void some_rows(const Graph& graph, Body&& body) {
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    if (!body(v, [&](auto&& entry) { graph.visit_row(v, entry); })) return;
}

template <class Body>
void some_rows(const CompressedGraph& graph, Body&& body) {
  constexpr VertexId at_once = 1024;
  bool go_on = true;
  for (VertexId v = 0; v < graph.vertex_count() && go_on; v += at_once)
    graph.sweep(v, std::min(graph.vertex_count(), v + at_once),
                [&](VertexId u, auto&& visit) { go_on = body(u, visit); });
}

// Seconds of one pass over the arcs with a look at each neighbor's value, from a part of the rows
// that takes some milliseconds: the least of three, as the first finds nothing in the cache.
template <class AnyGraph>
double sweep_seconds(const AnyGraph& graph) {
  constexpr EdgeIndex enough = 2'000'000;
  const std::vector<double> value(static_cast<std::size_t>(graph.vertex_count()), 1.0);
  double least = std::numeric_limits<double>::infinity();
  EdgeIndex arcs = 0;
  for (int pass = 0; pass < 3; ++pass) {
    const Stopwatch watch;
    double sum = 0.0;
    arcs = 0;
    some_rows(graph, [&](VertexId v, auto&& visit) {
      visit([&](VertexId u, double w) { sum += w * value[static_cast<std::size_t>(u)]; });
      return (arcs += graph.degree(v)) < enough;
    });
    if (sum >= 0.0) least = std::min(least, watch.seconds());
  }
  return arcs == 0
             ? 0.0
             : least * 2.0 * static_cast<double>(graph.edge_count()) / static_cast<double>(arcs);
}

void write_bounds(Session& session, const MemoryRange& peak, const MemoryRange& seconds) {
  OutputFile out("-");  // never the file that holds an answer
  TableWriter table(out, session.options().table_format(), {"quantity", "low", "high"});
  table.text("peak_memory_bytes");
  table.integer(static_cast<std::int64_t>(peak.low));
  table.integer(static_cast<std::int64_t>(peak.high));
  table.end_row();
  table.text("seconds");
  table.number(seconds.low);
  table.number(seconds.high);
  table.end_row();
  out.commit();
}

// auto leaves labels out to choose: at most 100 columns, and a million numbers.
constexpr std::size_t enough_labels = 10;
double left_out_bytes(const NetworkSize& size) {
  constexpr double most_columns = 100.0, most_numbers = 1e6, own = 32.0;
  const double columns =
      std::min(most_columns, std::floor(most_numbers / std::max(1.0, size.rows)));
  return columns * (solver_memory(size, SolverKind::automatic).column.high + own * size.rows);
}

// How many tables of n×K numbers a learner holds at once, as measured with 200 classes on 30,000
// vertices.
MemoryRange score_tables(const std::string& learner) {
  struct Tables {
    std::string_view learner;
    MemoryRange count;
  };
  static constexpr std::array known = {Tables{"centered-kernel", {5.0, 7.0}},
                                       Tables{"cut-ssl", {12.0, 17.0}},
                                       Tables{"min-cut", {3.0, 8.0}},
                                       Tables{"modularity-mbo", {7.0, 11.0}},
                                       Tables{"nearest-label", {1.0, 2.0}},
                                       Tables{"p-eikonal", {1.0, 3.0}},
                                       Tables{"p-laplacian", {7.0, 11.0}},
                                       Tables{"poisson-mbo", {7.0, 13.0}},
                                       Tables{"random-walk", {6.0, 9.0}},
                                       Tables{"volume-mbo", {5.0, 15.0}},
                                       Tables{"sparse-label-propagation", {12.0, 17.0}}};
  for (const Tables& one : known)
    if (one.learner == learner) return one.count;
  return {1.0, 6.0};
}

// With hard labels, and a solver of its choice.
bool is_plain(const MadeLearner& learner) {
  const OptionValues values =
      learner.entry->options.parse(split_spec(learner.spec).assignments, learner.entry->name);
  return !values.changed("soft") && !values.changed("solver");
}

// What the SPEC of a learner says of an option, or the default.
double integer_option(const MadeLearner& learner, std::string_view option) {
  const OptionValues values =
      learner.entry->options.parse(split_spec(learner.spec).assignments, learner.entry->name);
  return static_cast<double>(values.integer(option));
}

// Passes over the arcs that a learner without a solver may take for each column; else 0.
double most_passes(const MadeLearner& learner) {
  const std::string& name = learner.entry->name;
  if (name != "consensus" && name != "label-propagation") return 0.0;
  return integer_option(learner, "max_iterations");
}

}  // namespace

Work listing_work(const NetworkSize& size) {
  return {{4.0 * size.rows, 24.0 * size.rows}, {1.0, 60.0}};
}

Work column_work(const NetworkSize& size, double columns) {
  constexpr double at_once = 16.0;
  const double width = std::min(at_once, columns);
  const SolverMemory solver = solver_memory(size, SolverKind::automatic);
  const double system = system_bytes(size);
  // Beyond ten columns sixteen go side by side in floats: of 100 and 1000 classes a column took 6
  // sweeps or more where one alone takes 20.
  const double alone = std::min(10.0, columns), beside = columns - alone;
  return {MemoryRange{system, 1.2 * system} + solver.bytes(width),
          {20.0 * alone + 5.0 * beside, 2000.0 + 400.0 * columns}};
}

namespace {

// Bytes beside the graph of an exact factor and its selected inverse, or of the factor alone.
MemoryRange factor_bytes(const NetworkSize& size, const FactorSize& factor, bool inverse) {
  return {0.95 * factor.peaks.most(inverse) + 10.0 * size.rows,
          factor.peaks.at_most(inverse, size.rows)};
}

}  // namespace

// Columns solved one after the other, or the factor, which is counted for --estimate alone.
Work factor_work(const Session& session, const Graph& graph, const FactorUse& use) {
  constexpr double sweeps_of_many = 20.0, flops_of_sweep = 5.0, bytes_of_sketch = 400.0;
  const NetworkSize size(graph);
  Work work = column_work(size, 16.0);
  work.bytes.low = column_work(size, 1.0).bytes.low;
  if (use.may_sketch) work.bytes.high += bytes_of_sketch * size.edges;
  work.sweeps.high *= sweeps_of_many;
  // A factor that nothing can replace is refused where it does not fit, once it is counted.
  if (!session.options().estimate) return use.certain ? Work{} : work;
  // Solves and sketches take what they are given.
  if (const std::size_t room = session.run.memory_limit; room > 0)
    work.bytes.high =
        std::max(work.bytes.low, std::min(work.bytes.high, static_cast<double>(room)));
  std::optional<FactorSize> factor;
  make_network_factor(graph, session.run, [&](const FactorSize& counted) {
    factor = counted;
    return false;
  });
  if (!factor) return work;
  const MemoryRange bytes = factor_bytes(size, *factor, use.inverse);
  if (!fits(session.run, bytes.low)) return work;
  const double sweeps = flops_of_sweep * factor->flops / (1.0 + 2.0 * size.edges);
  work.sweeps.high = std::max(work.sweeps.high, sweeps);
  if (use.certain)
    work.bytes = bytes;
  else
    work.bytes = {std::min(work.bytes.low, bytes.low), std::max(work.bytes.high, bytes.high)};
  return work;
}

Work table_work(double rows, double columns, bool gram) {
  const double table = 8.0 * rows * columns;
  const double most = 3.0 * table + 200.0 * rows + (gram ? 16.0 * rows * rows : 0.0);
  return {{0.0, most}, {1.0, 1000.0}};
}

Work spectrum_work(const NetworkSize& size, double k) {
  const double wanted = std::min(k, size.rows);
  const SolverMemory solver = solver_memory(size, SolverKind::automatic);
  const double vectors = 8.0 * size.rows;
  return {MemoryRange{vectors * (wanted + 1.0), vectors * (2.2 * wanted + 40.0)} +
              MemoryRange{0.0, 1.2 * system_bytes(size) + solver.bytes(1.0).high},
          {30.0 + 5.0 * wanted, 2000.0 + 1000.0 * wanted}};
}

Work flow_work(const NetworkSize& size) {
  return {{24.0 * size.edges, 50.0 * size.edges + 30.0 * size.rows}, {5.0, 3000.0}};
}

Work global_cut_work(const NetworkSize& size) {
  return {{8.0 * size.edges, 60.0 * size.edges + 60.0 * size.rows}, {5.0, 1000.0}};
}

Work tree_work(const NetworkSize& size) {
  return {{8.0 * size.rows, 60.0 * size.edges + 120.0 * size.rows}, {1.0, 1000.0}};
}

Work neighbor_work(double points, double dimensions, double neighbors) {
  const double lists = 12.0 * points * neighbors;
  const double input = 8.0 * points * dimensions;
  return {{8.0 * points * neighbors, 2.5 * (lists + input)}, {10.0, 3000.0}};
}

Work points_work(const PointsFile& file, const PointsGraphOptions& options) {
  constexpr double usual = 10.0;
  const double neighbors = options.knn > 0 ? static_cast<double>(options.knn) : usual;
  return neighbor_work(file.points.rows(), static_cast<double>(file.points.columns()), neighbors);
}

Work question_work(const NetworkSize& size, int classes) {
  constexpr double few_candidates = 4000.0;
  constexpr double eigenpairs = 100.0;
  Work work = column_work(size, std::max(16.0, static_cast<double>(classes)));
  if (size.rows <= few_candidates) return work;
  const Work pairs = spectrum_work(size, eigenpairs);
  return {work.bytes + pairs.bytes, work.sweeps + pairs.sweeps};
}

// Eigenpairs first; then they stand beside the scores, and two copies of the targets.
Work eigenvector_work(const NetworkSize& size, double k, double labels, double classes) {
  const double vectors = std::min(k + 1.0, size.rows);
  const Work pairs = spectrum_work(size, k + 1.0);
  const double fit = 8.0 * size.rows * (vectors + classes);
  return {
      {std::max(pairs.bytes.low, fit), std::max(pairs.bytes.high, fit + 16.0 * labels * classes)},
      pairs.sweeps};
}

Work label_work(const Session& session, const MadeLearner& made, const NetworkSize& size,
                const LabeledSet& labeled, bool scores, int top) {
  const std::string& learner = made.entry->name;
  const int classes = labeled.is_regression() ? 1 : labeled.class_count();
  const double columns = classes;
  const MemoryRange sweeps{10.0 + 6.0 * columns,
                           std::max(2000.0 + 400.0 * columns, columns * most_passes(made))};
  constexpr std::array by_columns = {
      "auto",      "harmonic", "poisson",           "local-global",
      "consensus", "wnll",     "properly-weighted", "poisson-reweighted"};
  if (std::ranges::find(by_columns, learner) != by_columns.end()) {
    const bool shares = learner == "auto" || learner == "harmonic";
    const FitKeeps keeps{.scores = scores,
                         .top = top,
                         .given = shares ? static_cast<double>(labeled.size()) : 0.0,
                         .hard = shares && is_plain(made)};
    FitMemory fit = fit_memory(size, classes, keeps, session.run);
    // A short plan leaves room that the factor which proves an answer may take.
    if (fit.is_short)
      fit.bytes.high =
          std::max(fit.bytes.high, std::min(fit.bytes.high + proving_bytes(size),
                                            static_cast<double>(session.run.memory_limit)));
    const bool trials = learner == "auto" && !fit.is_short && labeled.size() > enough_labels;
    double trial = trials ? fit.bytes.low + left_out_bytes(size) : 0.0;
    if (session.run.memory_limit > 0)
      trial = std::min(trial, static_cast<double>(session.run.memory_limit));
    Work work{{fit.bytes.low, std::max(fit.bytes.high, trial)}, sweeps};
    // Others have more to do after the last class, but for auto in blocks.
    const bool ends_so = learner == "harmonic" || learner == "poisson" ||
                         learner == "local-global" || (learner == "auto" && fit.columns < classes);
    if (ends_so && !fit.is_short) {
      work.at_work = classes_stage;
      constexpr double page = 4096.0;  // of every row, which the first block of classes touches
      work.filled = scores ? 8.0 * size.rows * columns : 0.0;
      work.filled_later = scores ? size.rows * std::max(0.0, 8.0 * columns - page) : 0.0;
    }
    return work;
  }
  if (learner == "label-propagation") {
    const FitMemory fit = fit_memory(size, classes, {.scores = scores, .top = top}, session.run);
    constexpr MemoryRange columns_at_work{18.0, 24.0}, vertex{0.0, 48.0};
    const double width = std::min(columns, static_cast<double>(fit.columns));
    const double kept = scores || classes <= fit.columns ? 8.0 * columns : 12.0 * (1.0 + top);
    return {.bytes = size.rows * (width * columns_at_work + vertex + MemoryRange{0.0, kept}),
            .sweeps = sweeps,
            .at_work = "label propagation, change",
            .filled = size.rows * kept,
            .filled_later = size.rows * kept};
  }
  if (learner == "eigenvector")
    return eigenvector_work(size, integer_option(made, "k"), static_cast<double>(labeled.size()),
                            columns);
  const MemoryRange tables = 8.0 * size.rows * columns * score_tables(learner);
  // Its systems have weights of their own, one after the other.
  constexpr double weighted_copies = 72.0;
  const double copies = learner == "p-laplacian" ? weighted_copies * size.edges : 0.0;
  return {tables + MemoryRange{0.0, copies + column_work(size, 1.0).bytes.high}, sweeps};
}

int tell_estimate(Session& session, const MemoryRange& peak, const MemoryRange& seconds) {
  session.summary.set("estimate.memory_low", static_cast<std::int64_t>(peak.low));
  session.summary.set("estimate.memory_high", static_cast<std::int64_t>(peak.high));
  session.summary.set("estimate.seconds_low", seconds.low);
  session.summary.set("estimate.seconds_high", seconds.high);
  session.say(fmt::format("would hold {} to {} of memory at once and take {:.2g} to {:.2g} s",
                          bytes_text(peak.low), bytes_text(peak.high), seconds.low, seconds.high));
  if (const MemoryLimit& limit = session.memory(); limit.bytes > 0)
    session.say(
        fmt::format("{} allows {}", limit.set_by, bytes_text(static_cast<double>(limit.bytes))));
  write_bounds(session, peak, seconds);
  return 0;
}

namespace {

// Seconds of work, beside as much as was spent on reading, that --estimate may spend itself.
constexpr double most_rehearsed = 2.0;

struct Rehearsed {
  bool ended = false;
  double seconds = 0.0;
  double peak = 0.0;    // bytes
  double share = -1.0;  // that was told of the stage that has all memory; -1: it did not come
};

// Begins the work. Nobody hears of it.
Rehearsed rehearse(const Session& session, const Work& work, const Rehearsal& rehearsal,
                   double most) {
  RunContext run = session.run;
  double told = -1.0;
  run.progress = [&](std::string_view stage, double share) {
    const bool is_it = stage.starts_with(work.at_work) &&
                       stage.find(',', work.at_work.size()) == std::string_view::npos;
    if (is_it && !work.at_work.empty()) told = std::max(0.0, share);
  };
  run.checkpoint = nullptr;
  const auto end =
      RunContext::Clock::now() +
      std::chrono::duration_cast<RunContext::Clock::duration>(std::chrono::duration<double>(most));
  run.deadline = run.deadline ? std::min(*run.deadline, end) : end;
  const Stopwatch watch;
  try {
    rehearsal(run);
  } catch (const Error& error) {
    if (!stop_of(error)) throw;
  }
  session.check_cancelled();
  return {.ended = !run.should_stop(),
          .seconds = watch.seconds(),
          .peak = static_cast<double>(peak_memory_bytes()),
          .share = told};
}

// What a pass takes, at least, where it is not the rows of a graph that are passed.
double pass_seconds(const Work& work) {
  constexpr double bytes_in_a_second = 4e9;
  return work.bytes.high / bytes_in_a_second;
}
template <class AnyGraph>
double pass_seconds(const AnyGraph& graph) {
  return sweep_seconds(graph);
}

// Two runs of the same bytes differ by pages of the allocator and of threads that work side by side,
// and the answer is still to be written. Measured: 20 runs of ten eigenpairs of a grid peaked at 63.9
// to 65.6 MB or at 68.3 to 70.8, and 15 of a thousand classes on near neighbors at 40.3 to 43.0 where
// 42 to 43 were forecast.
constexpr double less_next_time = 0.1, more_next_time = 0.08, less_of_input = 0.07;
constexpr double quick = 0.5, slow = 2.0;
// Pages of the program and its libraries that the work is the first to touch, or does not.
constexpr double pages_of_code = 1.5e6, less_pages = 0.5 * pages_of_code;

// Of another run of what peaked there.
MemoryRange next_time(double peak) {
  return {(1.0 - less_next_time) * peak - less_pages,
          (1.0 + more_next_time) * peak + pages_of_code};
}

template <class Passed>
std::optional<int> estimate_or_refuse(Session& session, const Passed& passed, const Work& work,
                                      const Rehearsal& rehearsal) {
  if (!session.options().estimate) {
    if (!fits(session.run, work.bytes.low))
      throw MemoryError(session.command(), static_cast<std::size_t>(std::ceil(work.bytes.high)),
                        session.run.memory_limit);
    return std::nullopt;
  }
  session.take_room();  // what counting a factor has freed is not held
  const auto held = static_cast<double>(held_memory().resident);
  const auto before = static_cast<double>(peak_memory_bytes());
  double least = 0.0;
  const double read = session.seconds();
  const double pass = pass_seconds(passed);
  MemoryRange peak = MemoryRange{held, held + 2e6} + work.bytes;
  // A pass is measured on one thread; at best each takes its part.
  MemoryRange seconds{read + pass * work.sweeps.low / session.run.thread_count(),
                      read + pass * work.sweeps.high};
  const double most = most_rehearsed + read;
  // A stage that has all memory need not end.
  constexpr double longest_stage = 100.0;
  const double longest = (work.at_work.empty() ? 1.0 : longest_stage) * most;
  if (rehearsal && pass * work.sweeps.low <= longest && fits(session.run, work.bytes.low)) {
    const Rehearsed found = rehearse(session, work, rehearsal, most);
    const MemoryRange again = next_time(found.peak);
    if (found.ended)
      return tell_estimate(session, again,
                           {read + quick * found.seconds, read + 0.01 + slow * found.seconds});
    // What takes longer has most of its arrays by now.
    constexpr double yet_to_come = 1.18;
    least = again.low;
    const double by_model = again.high < peak.high ? peak.high : HUGE_VAL;  // or it was wrong
    peak.high = std::max(peak.high, yet_to_come * found.peak);
    seconds.low = std::max(seconds.low, read + found.seconds);
    seconds.high = std::max(seconds.high, read + 2.0 * found.seconds);
    const double filled = found.share > 0.0 ? (1.0 - found.share) * work.filled_later : work.filled;
    if (found.share >= 0.0) peak = {before, std::min(again.high + filled, by_model)};
    if (found.share > 0.0 && work.at_work == classes_stage) {
      const double all = found.seconds / found.share;
      seconds = {read + std::max(found.seconds, quick * all), read + slow * all};
    }
  }
  const double low = (1.0 - less_of_input) * std::max(before, peak.low) - less_pages;
  return tell_estimate(session, {std::max(least, low), std::max(before, peak.high)}, seconds);
}

}  // namespace

std::optional<int> estimated(Session& session, const Graph& graph, const Work& work,
                             const Rehearsal& rehearsal) {
  return estimate_or_refuse(session, graph, work, rehearsal);
}

std::optional<int> estimated(Session& session, const CompressedGraph& graph, const Work& work,
                             const Rehearsal& rehearsal) {
  return estimate_or_refuse(session, graph, work, rehearsal);
}

std::optional<int> estimated(Session& session, const Work& work, const Rehearsal& rehearsal) {
  return estimate_or_refuse(session, work, work, rehearsal);
}

}  // namespace gssl::tool
