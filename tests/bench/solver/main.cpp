// bench_solver: our linear solvers beside public ones on seven graphs, and on systems made to break
// them. See --help.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "graphs.hpp"
#include "growth.hpp"
#include "gssl/core/error.hpp"
#include "peers.hpp"
#include "race.hpp"
#include "small.hpp"
#include "torture.hpp"

namespace {

using namespace gssl;
using namespace gssl::bench;

struct Options {
  GraphSizes sizes;
  RaceOptions race;
  std::vector<std::string> graphs = graph_names();
  std::vector<int> columns{1, 10};
  std::vector<std::string> kinds;
  std::vector<std::string> peers = peer_names();
  VertexId labels = 100;
  int threads = 2;
  std::uint64_t seeds = 0;  // 0: 1, or 20 for the torture
  std::string json;
  std::vector<std::string> families = family_names();
  bool list = false;
  bool quick = false;
  bool torture = false;
  bool growth = false;
  bool small = false;
  double most_edges = GrowthOptions().most_edges;
};

// Relaxation has no chance on these graphs; it runs when asked for.
std::vector<std::string> default_kinds() {
  std::vector<std::string> names = solver_kind_names();
  std::erase_if(names, [](const std::string& name) { return name.ends_with("consensus"); });
  return names;
}

void print_row(const Row& row) {
  const std::string text = row.note.substr(0, row.note.find(','));
  if (row.total_seconds == 0.0) {
    std::printf("  %-27s %3d  %s: %s\n", row.method.c_str(), row.threads, row.status.c_str(),
                text.c_str());
    return;
  }
  const auto ratio = [](double value) {
    return value > 0.0 ? std::to_string(value).substr(0, 5) : "-";
  };
  std::printf("  %-27s %3d %8.3f %8.3f %8.3f %8.2f %7s %9s %7.0f %7lld %7.0f %9.1e  %s%s%s\n",
              row.method.c_str(), row.threads, row.setup_seconds, row.solve_seconds,
              row.total_seconds, row.cpu_seconds, ratio(row.ratio).c_str(),
              ratio(row.cpu_ratio).c_str(), row.spmv, static_cast<long long>(row.iterations),
              row.bytes_per_edge, row.residual, row.status.c_str(), text.empty() ? "" : ": ",
              text.c_str());
}

void print_table(const std::vector<Row>& rows) {
  std::printf("  %-27s %3s %8s %8s %8s %8s %7s %9s %7s %7s %7s %9s\n", "method", "thr", "set-up",
              "solve", "total", "cpu", "ratio", "cpu ratio", "SpMVs", "iters", "B/edge",
              "residual");
  for (const Row& row : rows) print_row(row);
}

// All methods on one problem. A method that did not solve one column is not asked for more.
std::vector<Row> race_all(const Problem& problem, const Options& options, double spmv,
                          std::map<std::string, std::string>& hopeless) {
  const bool one_column = problem.b.columns() == 1;
  std::vector<Row> rows;
  const auto enter = [&](const std::string& method, int threads, auto&& run) {
    if (hopeless.contains(method)) {
      rows.push_back({.graph = problem.graph,
                      .seed = problem.seed,
                      .columns = problem.b.columns(),
                      .method = method,
                      .peer = !method.starts_with("gssl "),
                      .threads = threads,
                      .status = "skipped",
                      .note = hopeless[method] + " with fewer columns"});
      return;
    }
    rows.push_back(run());
    if (rows.back().status != "solved") hopeless[method] = rows.back().status;
    std::fprintf(stderr, "%s, %lld columns: %s %s, %.2f s\n", problem.graph.c_str(),
                 static_cast<long long>(problem.b.columns()), method.c_str(),
                 rows.back().status.c_str(), rows.back().total_seconds);
  };
  for (const std::string& peer : options.peers)
    enter(peer, 1, [&] { return race_peer(problem, peer, options.race); });
  const int threads = one_column ? 1 : options.threads;
  for (const std::string& kind : options.kinds)
    enter("gssl " + kind, threads,
          [&] { return race_ours(problem, parse_solver_kind(kind), threads, options.race); });

  // By CPU time, which on a quiet machine is the wall's: peers have one thread.
  const Row* best = nullptr;
  for (const Row& row : rows)
    if (row.peer && row.status == "solved" &&
        (best == nullptr || row.cpu_seconds < best->cpu_seconds))
      best = &row;
  const double wall = best == nullptr ? 0.0 : best->total_seconds;
  const double cpu = best == nullptr ? 0.0 : best->cpu_seconds;
  for (Row& row : rows) {
    row.spmv = row.total_seconds / spmv;
    if (row.status != "solved") continue;
    if (wall > 0.0) row.ratio = row.total_seconds / wall;
    if (cpu > 0.0) row.cpu_ratio = row.cpu_seconds / cpu;
  }
  return rows;
}

// Ours beside the fastest peer, as harness/program.hpp writes them.
void enter_figures(nlohmann::json& figures, const std::vector<Row>& rows) {
  for (const Row& row : rows)
    if (!row.peer && row.cpu_ratio > 0.0)
      figures.push_back({{"case", row.graph},
                         {"figure", row.method + ", K=" + std::to_string(row.columns)},
                         {"unit", "s"},
                         {"ours", row.cpu_seconds},
                         {"peer", "the fastest"},
                         {"theirs", row.cpu_seconds / row.cpu_ratio},
                         {"ratio", row.cpu_ratio}});
}

nlohmann::json run_races(const Options& options) {
  nlohmann::json graphs, all_rows, figures = nlohmann::json::array();
  for (const std::string& name : options.graphs)
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(1, options.seeds); ++seed) {
      GraphSizes sizes = options.sizes;
      sizes.seed = seed;
      const Graph graph = make_graph(name, sizes);
      std::map<std::string, std::string> hopeless;
      double spmv = 0.0;
      for (const int columns : options.columns) {
        const Problem problem = make_problem(name, graph, options.labels, columns, seed);
        if (spmv == 0.0) spmv = measure_spmv(problem);
        const std::vector<Row> rows = race_all(problem, options, spmv, hopeless);
        std::printf(
            "\n%s: %d vertices, %lld edges, %d labels, seed %llu, K = %d; one SpMV %.3g ms\n",
            name.c_str(), graph.vertex_count(), static_cast<long long>(graph.edge_count()),
            options.labels, static_cast<unsigned long long>(seed), columns, 1e3 * spmv);
        print_table(rows);
        std::fflush(stdout);
        for (const Row& row : rows) all_rows.push_back(row);
        enter_figures(figures, rows);
      }
      graphs.push_back({{"graph", name},
                        {"seed", seed},
                        {"vertices", graph.vertex_count()},
                        {"edges", graph.edge_count()},
                        {"spmv_seconds", spmv}});
    }
  return {{"graphs", graphs}, {"rows", all_rows}, {"figures", figures}};
}

nlohmann::json run_growth(const Options& options) {
  return growth({.graphs = options.graphs,
                 .most_edges = options.most_edges,
                 .labels = options.labels,
                 .seed = std::max<std::uint64_t>(1, options.seeds),
                 .race = options.race});
}

nlohmann::json run_small(const Options& options) {
  SmallOptions small{.columns = options.columns,
                     .tolerance = options.race.tolerance,
                     .seed = std::max<std::uint64_t>(1, options.seeds)};
  if (options.race.repeats > 1) small.repeats = options.race.repeats;
  return small_graphs(small);
}

nlohmann::json run_torture(const Options& options) {
  const TortureOptions torture_options{.families = options.families,
                                       .tolerance = options.race.tolerance,
                                       .time_limit = options.race.time_limit,
                                       .gigabytes = options.race.gigabytes,
                                       .threads = options.threads,
                                       .seeds = options.seeds > 0 ? options.seeds : 20,
                                       .scale = options.quick ? 0.01 : 1.0};
  nlohmann::json runs;
  for (const std::string& kind : options.kinds)
    runs.push_back(torture(parse_solver_kind(kind), torture_options));
  return {{"torture", runs}};
}

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_names(const std::string& what, const std::vector<std::string>& given,
                 const std::vector<std::string>& known) {
  for (const std::string& name : given)
    if (std::ranges::count(known, name) == 0)
      throw Error(ErrorCode::usage, what + " '" + name + "': must be one of " + join(known));
}

void declare_sizes(CLI::App& app, Options& options, const CLI::Validator& positive) {
  const std::string sizes = "Sizes";
  app.add_option("--grid-side", options.sizes.grid_side, "(1000)")->check(positive)->group(sizes);
  app.add_option("--grid3d-side", options.sizes.grid3d_side, "(100)")
      ->check(positive)
      ->group(sizes);
  app.add_option("--rmat-scale", options.sizes.rmat_scale, "(19)")->check(positive)->group(sizes);
  app.add_option("--knn-points", options.sizes.knn_points, "(100000)")
      ->check(positive)
      ->group(sizes);
  app.add_option("--road-side", options.sizes.road_side, "(600)")->check(positive)->group(sizes);
}

void declare(CLI::App& app, Options& options) {
  app.set_help_flag("-h,--help", "print this help and exit");
  app.add_option("--graphs", options.graphs, "of " + join(graph_names()))->delimiter(',');
  app.add_option("--columns", options.columns, "right-hand sides (1,10)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000).description(""));
  app.add_option("--kinds", options.kinds, "our solvers, of " + join(solver_kind_names()))
      ->delimiter(',');
  app.add_option("--peers", options.peers, "of " + join(peer_names()) + "; or none")
      ->delimiter(',');
  app.add_option("--threads", options.threads, "of ours; one is used for K = 1")
      ->check(CLI::Range(1, 4096).description(""))
      ->capture_default_str();
  app.add_option("--seeds", options.seeds, "graphs and label sets 1 … N (1; torture: 20)");
  const CLI::Validator positive(
      [](std::string& text) {
        return std::atof(text.c_str()) > 0.0 ? std::string() : "'" + text + "': must be above 0";
      },
      "");
  app.add_option("--labels", options.labels, "grounded vertices")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--tolerance", options.race.tolerance, "relative residual")->capture_default_str();
  app.add_option("--time-limit", options.race.time_limit,
                 "CPU seconds a thread for set-up and solve; wall four times that")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--memory-limit", options.race.gigabytes, "GB of address space")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--repeats", options.race.repeats, "runs of each; the fastest counts")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--json", options.json, "also write the figures to FILE")->type_name("FILE");
  app.add_option("--cache", options.sizes.cache, "folder for neighbor lists")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag("--list", options.list, "print the graphs, solvers, peers and families and exit");
  app.add_flag("--quick", options.quick, "small graphs, under a minute");
  app.add_flag("--torture", options.torture, "systems made to break a solver; exit status 1 if so");
  app.add_flag("--small", options.small,
               "automatic beside cg on graphs of up to 10,000 vertices, one thread");
  app.add_flag("--growth", options.growth,
               "time and memory per edge of larger and larger graphs, knn3 among them; one column");
  app.add_option("--most-edges", options.most_edges, "of the growth")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--families", options.families, "of the torture: " + join(family_names()))
      ->delimiter(',');
  declare_sizes(app, options, positive);
  app.footer(
      "Examples:\n"
      "  bench_solver --quick\n"
      "  bench_solver --graphs grid2d,roadlike --columns 10 --kinds automatic --json out.json\n"
      "  bench_solver --peers none --kinds cg,cholesky\n"
      "  bench_solver --growth --graphs grid2d,rmat19 --most-edges 10000000\n"
      "  bench_solver --torture --seeds 200 --kinds automatic,cholesky --families pairs,chimera");
}

// Options given on the command line win over what --quick sets.
void shrink(const CLI::App& app, Options& options) {
  const auto set = [&](const char* option, auto& size, auto value) {
    if (app.count(option) == 0) size = value;
  };
  set("--time-limit", options.race.time_limit, 1.0);
  set("--grid-side", options.sizes.grid_side, 150);
  set("--grid3d-side", options.sizes.grid3d_side, 25);
  set("--rmat-scale", options.sizes.rmat_scale, 13);
  set("--knn-points", options.sizes.knn_points, 5000);
  set("--road-side", options.sizes.road_side, 100);
}

int run(int argc, char** argv) {
  Options options;
  options.sizes.cache = GSSL_BENCH_CACHE;
  CLI::App app("Our linear solvers beside public ones, each checked by recomputing b - Ax.");
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_status(ErrorCode::usage);
  }
  if (options.list) {
    for (const auto& [what, names] : {std::pair{"graphs", graph_names()},
                                      {"kinds", solver_kind_names()},
                                      {"peers", peer_names()},
                                      {"families", family_names()}})
      std::printf("%-9s %s\n", what, join(names).c_str());
    return 0;
  }
  if (options.quick) shrink(app, options);
  if (options.kinds.empty())
    options.kinds = options.torture ? std::vector<std::string>{"automatic"} : default_kinds();
  for (const std::string& kind : options.kinds) parse_solver_kind(kind);
  if (options.peers == std::vector<std::string>{"none"}) options.peers.clear();
  std::vector<std::string> known_graphs = graph_names();
  if (options.growth) known_graphs.emplace_back("knn3");
  check_names("graph", options.graphs, known_graphs);
  check_names("family", options.families, family_names());
  check_names("peer", options.peers, peer_names());
  std::ranges::sort(options.columns);
  options.sizes.threads = options.threads;

  if (options.growth && app.count("--graphs") == 0) options.graphs = GrowthOptions().graphs;
  for (const std::string& name : options.graphs)
    if (options.growth && !can_grow(name))
      throw Error(ErrorCode::usage, "graph '" + name + "': has one size: leave it out of --growth");
  const nlohmann::json figures = options.torture  ? run_torture(options)
                                 : options.growth ? run_growth(options)
                                 : options.small  ? run_small(options)
                                                  : run_races(options);
  if (!options.json.empty()) {
    std::ofstream out(options.json);
    out << figures.dump(1) << '\n';
    if (!out.flush()) throw Error(ErrorCode::cannot_create, options.json + ": cannot be written");
  }
  if (!options.torture) return 0;
  return std::ranges::all_of(figures["torture"],
                             [](const auto& r) { return r["failures"].empty(); })
             ? 0
             : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_solver: %s\n", error.what());
    return exit_status(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_solver: %s\n", error.what());
    return 70;
  }
}
