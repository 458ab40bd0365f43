// bench_solver: our linear solvers beside public ones on seven graphs, and on systems made to break
// them. See --help and --list.

#include <algorithm>
#include <string>
#include <vector>

#include "../harness/program.hpp"
#include "graph_race.hpp"
#include "graphs.hpp"
#include "growth.hpp"
#include "peers.hpp"
#include "small.hpp"
#include "torture.hpp"
#include "torture_families.hpp"

namespace {

using namespace gssl;
using namespace gssl::bench;

struct Options {
  GraphRace race;  // seeds 0: none were given
  double most_edges = Growth().most_edges;
  bool quick = false;
};

std::vector<std::string> all_peers() {
  std::vector<std::string> names = peer_names();
  for (const auto& [name, package] : absent_peers()) names.push_back(name);
  return names;
}

// Relaxation has no chance on these graphs; it runs when asked for.
std::vector<std::string> usual_kinds() {
  std::vector<std::string> names = solver_kind_names();
  std::erase_if(names, [](const std::string& name) { return name.ends_with("consensus"); });
  return names;
}

void declare_sizes(CLI::App& app, GraphSizes& sizes) {
  const auto size = [&](const std::string& option, auto& value) {
    app.add_option(option, value)
        ->check(CLI::PositiveNumber)
        ->capture_default_str()
        ->group("Sizes");
  };
  size("--grid-side", sizes.grid_side);
  size("--grid3d-side", sizes.grid3d_side);
  size("--rmat-scale", sizes.rmat_scale);
  size("--knn-points", sizes.knn_points);
  size("--road-side", sizes.road_side);
}

void declare_limits(CLI::App& app, RaceOptions& race) {
  app.add_option("--tolerance", race.tolerance, "relative residual")->capture_default_str();
  app.add_option("--time-limit", race.time_limit,
                 "CPU seconds a thread for set-up and solve; wall four times that")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--memory-limit", race.gigabytes, "GB of address space")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--repeats", race.repeats, "runs of each; the fastest counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

void declare(CLI::App& app, Options& options) {
  GraphRace& race = options.race;
  std::vector<std::string> peers = all_peers();
  peers.emplace_back("none");
  app.add_option("--columns", race.columns, "right-hand sides")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--kinds", race.kinds, "our solvers; torture: automatic")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(solver_kind_names()));
  app.add_option("--peers", race.peers, "all that are here")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(peers));
  app.add_option("--threads", race.threads, "of ours; one is used for K = 1")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--seeds", race.seeds, "graphs and label sets 1 … N (1; torture: 20)")
      ->check(CLI::PositiveNumber);
  app.add_option("--labels", race.labels, "grounded vertices")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--cache", race.sizes.cache, "folder for neighbor lists")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "small graphs, under a minute");
  app.add_option("--most-edges", options.most_edges, "of the growth")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  declare_limits(app, race.race);
  declare_sizes(app, race.sizes);
  app.footer(
      "Examples:\n"
      "  bench_solver --quick\n"
      "  bench_solver grid2d roadlike --columns 10 --kinds automatic --json out.json\n"
      "  bench_solver --peers none --kinds cg,cholesky\n"
      "  bench_solver growth-grid2d growth-rmat19 --most-edges 10000000\n"
      "  bench_solver torture-pairs torture-chimera --seeds 200 --kinds automatic,cholesky");
}

// What a graph is raced with: where an option was not given, what --quick or the default says.
GraphRace graph_race(const CLI::App& app, const Options& options) {
  GraphRace race = options.race;
  std::ranges::sort(race.columns);
  race.seeds = std::max<std::uint64_t>(1, race.seeds);
  race.sizes.threads = race.threads;
  if (race.kinds.empty()) race.kinds = usual_kinds();
  if (race.peers.empty()) race.peers = all_peers();
  std::erase(race.peers, "none");
  const auto shrink = [&](const char* option, auto& size, auto value) {
    if (options.quick && app.count(option) == 0) size = value;
  };
  shrink("--time-limit", race.race.time_limit, 1.0);
  shrink("--grid-side", race.sizes.grid_side, 150);
  shrink("--grid3d-side", race.sizes.grid3d_side, 25);
  shrink("--rmat-scale", race.sizes.rmat_scale, 13);
  shrink("--knn-points", race.sizes.knn_points, 5000);
  shrink("--road-side", race.sizes.road_side, 100);
  return race;
}

// True if all went well.
bool torture_by_all(Results& results, const Family& family, const CLI::App& app,
                    const Options& options) {
  const GraphRace race = graph_race(app, options);
  const TortureOptions how{.tolerance = race.race.tolerance,
                           .time_limit = race.race.time_limit,
                           .gigabytes = race.race.gigabytes,
                           .threads = race.threads,
                           .seeds = options.race.seeds > 0 ? options.race.seeds : 20,
                           .scale = options.quick ? 0.01 : 1.0};
  const std::vector<std::string> kinds =
      options.race.kinds.empty() ? std::vector<std::string>{"automatic"} : options.race.kinds;
  bool well = true;
  for (const std::string& kind : kinds)
    well = torture(results, family, parse_solver_kind(kind), how) && well;
  return well;
}

void add_races(Program& program, const Options& options) {
  const CLI::App& app = program.options();
  for (const std::string& name : graph_names())
    program.add(name, "our solvers beside the peers", [&app, &options, name](Results& results) {
      race_graph(results, name, graph_race(app, options));
    });
  for (const std::string& name : growing_graphs())
    program.add(
        "growth-" + name, "time and memory per edge of larger and larger graphs, one column",
        [&app, &options, name](Results& results) {
          const GraphRace race = graph_race(app, options);
          grow(results, name, {options.most_edges, race.labels, race.seeds, race.race});
        },
        Program::Runs::when_named);
  program.add(
      "small", "automatic beside cg on graphs of up to 10,000 vertices, one thread",
      [&app, &options](Results& results) {
        const GraphRace race = graph_race(app, options);
        SmallOptions small{
            .columns = race.columns, .tolerance = race.race.tolerance, .seed = race.seeds};
        if (race.race.repeats > 1) small.repeats = race.race.repeats;
        small_graphs(results, small);
      },
      Program::Runs::when_named);
}

// Sets `failed` where a system breaks a solver.
void add_torture(Program& program, const Options& options, bool& failed) {
  const CLI::App& app = program.options();
  std::vector<std::string> names;
  for (const Family& family : families()) {
    names.push_back("torture-" + family.name);
    program.add(
        names.back(), "systems made to break a solver; exit status 1 if one does",
        [&app, &options, &failed, &family](Results& results) {
          failed = !torture_by_all(results, family, app, options) || failed;
        },
        Program::Runs::when_named);
  }
  program.add_flag("--torture", "all families of systems made to break a solver", names);
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_solver",
                  "Our linear solvers beside public ones, each checked by recomputing b - Ax");
  Options options;
  options.race.seeds = 0;
  options.race.sizes.cache = GSSL_BENCH_CACHE;
  bool failed = false;
  declare(program.options(), options);
  add_races(program, options);
  add_torture(program, options, failed);
  program.add_flag("--growth", "growth of grids and of an RMAT graph",
                   {"growth-grid2d", "growth-grid2dw", "growth-grid3d", "growth-rmat19"});
  program.add_flag("--small", "the case small", {"small"});
  const int status = program.run(argc, argv);
  return status == 0 && failed ? 1 : status;
}
