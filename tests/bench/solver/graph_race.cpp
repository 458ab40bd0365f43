#include "graph_race.hpp"

#include <cstdio>
#include <functional>
#include <map>

#include "peers.hpp"

namespace gssl::bench {
namespace {

// Methods that did not solve fewer columns, and why: they are not asked for more.
using Hopeless = std::map<std::string, std::string>;

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

Row run_or_skip(const Problem& problem, const std::string& method, int threads, Hopeless& hopeless,
                const std::function<Row()>& run) {
  if (hopeless.contains(method))
    return {.graph = problem.graph,
            .seed = problem.seed,
            .columns = problem.b.columns(),
            .method = method,
            .peer = !method.starts_with("gssl "),
            .threads = threads,
            .status = "skipped",
            .note = hopeless[method] + " with fewer columns"};
  Row row = run();
  if (row.status != "solved") hopeless[method] = row.status;
  std::fprintf(stderr, "%s, %lld columns: %s %s, %.2f s\n", problem.graph.c_str(),
               static_cast<long long>(problem.b.columns()), method.c_str(), row.status.c_str(),
               row.total_seconds);
  return row;
}

// By processor time, which on a quiet machine is the wall's: peers have one thread.
const Row* fastest_peer(const std::vector<Row>& rows) {
  const Row* best = nullptr;
  for (const Row& row : rows)
    if (row.peer && row.status == "solved" &&
        (best == nullptr || row.cpu_seconds < best->cpu_seconds))
      best = &row;
  return best;
}

std::vector<Row> race_all(const Problem& problem, const GraphRace& how, double spmv,
                          Hopeless& hopeless) {
  std::vector<Row> rows;
  for (const std::string& peer : how.peers)
    if (!absent_peers().contains(peer))
      rows.push_back(run_or_skip(problem, peer, 1, hopeless,
                                 [&] { return race_peer(problem, peer, how.race); }));
  const int threads = problem.b.columns() == 1 ? 1 : how.threads;
  for (const std::string& kind : how.kinds)
    rows.push_back(run_or_skip(problem, "gssl " + kind, threads, hopeless, [&] {
      return race_ours(problem, parse_solver_kind(kind), threads, how.race);
    }));

  const Row* best = fastest_peer(rows);
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

void enter_figures(Results& results, const std::vector<Row>& rows) {
  const Row* best = fastest_peer(rows);
  for (const Row& row : rows) {
    if (row.peer || row.status != "solved") continue;
    std::string figure = row.method + ", K=" + std::to_string(row.columns);
    if (row.seed > 1) figure += ", seed " + std::to_string(row.seed);
    if (best == nullptr) {
      results.value(figure, row.cpu_seconds, "s");
      continue;
    }
    for (const Row& other : rows)
      if (other.peer && other.status == "solved")
        results.beside(figure, other.method, row.cpu_seconds, other.cpu_seconds);
    results.beside(figure, "the fastest", row.cpu_seconds, best->cpu_seconds);
  }
}

void race_seed(Results& results, const std::string& name, const GraphRace& how,
               std::uint64_t seed) {
  GraphSizes sizes = how.sizes;
  sizes.seed = seed;
  const Graph graph = make_graph(name, sizes);
  Hopeless hopeless;
  double spmv = 0.0;
  for (const int columns : how.columns) {
    const Problem problem = make_problem(name, graph, how.labels, columns, seed);
    if (spmv == 0.0) spmv = measure_spmv(problem);
    const std::vector<Row> rows = race_all(problem, how, spmv, hopeless);
    std::printf("\n%s: %d vertices, %lld edges, %d labels, seed %llu, K = %d; one SpMV %.3g ms\n",
                name.c_str(), graph.vertex_count(), static_cast<long long>(graph.edge_count()),
                how.labels, static_cast<unsigned long long>(seed), columns, 1e3 * spmv);
    print_table(rows);
    enter_figures(results, rows);
  }
}

}  // namespace

void race_graph(Results& results, const std::string& graph, const GraphRace& how) {
  for (const std::string& peer : how.peers)
    if (const auto found = absent_peers().find(peer); found != absent_peers().end())
      results.absent(peer, found->second);
  for (std::uint64_t seed = 1; seed <= how.seeds; ++seed) race_seed(results, graph, how, seed);
}

}  // namespace gssl::bench
