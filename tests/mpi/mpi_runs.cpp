#include "mpi_runs.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "gssl/io/graph_writer.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl::test {
namespace {

using Table = std::vector<std::vector<std::string>>;

Table cells(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string>& row = table.emplace_back();
    for (std::string word; std::getline(words, word, '\t');) row.push_back(word);
  }
  return table;
}

// Rounding parts what is equal to the last bit.
std::string untied(const std::string& status) { return status == "tied" ? "inferred" : status; }

// Of the two best scores of each row of a table of scores.
std::vector<double> margins(const Table& scores) {
  std::vector<double> margin;
  for (std::size_t r = 1; r < scores.size(); ++r) {
    double best = 0.0, second = 0.0;
    for (std::size_t c = 1; c < scores[r].size(); ++c) {
      const double score = std::stod(scores[r][c]);
      second = std::max(second, std::min(best, score));
      best = std::max(best, score);
    }
    margin.push_back(best - second);
  }
  return margin;
}

}  // namespace

Result run_mpi(int ranks, const std::string& arguments, const RunSettings& settings,
               const std::string& environment) {
  // Ranks outnumber cores here, and the tests may run as root.
  return run_shell(
      (environment.empty() ? "" : "export " + environment + "; ") +
          "exec mpirun --oversubscribe --allow-run-as-root --mca mpi_yield_when_idle 1 -n " +
          std::to_string(ranks) + " " + built_program("gssl-mpi") + " " + arguments,
      settings);
}

std::string write_edges(const TemporaryDirectory& folder, const Graph& graph) {
  const std::string path = (folder.path() / "edges.tsv").string();
  OutputFile out(path);
  write_graph(out, graph, VertexNames::numbered(graph.vertex_count()), GraphFormat::edge_list);
  out.commit();
  return path;
}

TableDifference difference(const std::string& expected, const std::string& found) {
  const Table a = cells(expected), b = cells(found);
  TableDifference different;
  different.same_rows = a.size() == b.size();
  for (std::size_t r = 0; r < std::min(a.size(), b.size()); ++r) {
    if (a[r].size() != 4 || b[r].size() != 4 || a[r][0] != b[r][0] ||
        untied(a[r][3]) != untied(b[r][3])) {
      different.same_rows = false;
      continue;
    }
    if (a[r][1] != b[r][1]) ++different.labels;
    if (r > 0)
      different.largest =
          std::max(different.largest, std::abs(std::stod(a[r][2]) - std::stod(b[r][2])));
  }
  return different;
}

double score_difference(const std::string& expected, const std::string& found) {
  const Table a = cells(expected), b = cells(found);
  double largest = 0.0;
  if (a.size() != b.size() || a.empty() || a[0] != b[0])
    return std::numeric_limits<double>::infinity();
  for (std::size_t r = 1; r < a.size(); ++r) {
    if (a[r][0] != b[r][0] || a[r].size() != b[r].size())
      return std::numeric_limits<double>::infinity();
    for (std::size_t c = 1; c < a[r].size(); ++c)
      largest = std::max(largest, std::abs(std::stod(a[r][c]) - std::stod(b[r][c])));
  }
  return largest;
}

std::string compare_ranks(const std::string& graph, const std::string& labels,
                          const std::string& options, const std::string& folder,
                          const std::string& mpi_options) {
  constexpr double close = 1e-8, tie = 1e-7;
  const std::string files = "label " + graph + " " + labels + " " + options + " --quiet --scores ";
  const std::string one_scores = folder + "/one.tsv";
  const Result one = run_shell("exec $GSSL " + files + one_scores);
  if (one.status != 0) return "gssl: " + one.err;
  const std::string expected = read_file(one_scores);
  const Table expected_rows = cells(one.out);
  const std::vector<double> margin = margins(cells(expected));
  for (const int ranks : {1, 2, 3}) {
    const std::string scores = folder + "/scores" + std::to_string(ranks) + ".tsv";
    const Result found = run_mpi(ranks, files + scores + " " + mpi_options);
    const std::string who = std::to_string(ranks) + " ranks: ";
    if (found.status != 0) return who + found.err;
    const double off = score_difference(expected, read_file(scores));
    if (!(off <= close)) return who + "scores differ by " + std::to_string(off);
    const TableDifference table = difference(one.out, found.out);
    if (!table.same_rows) return who + "other vertices or statuses";
    if (!(table.largest <= close))
      return who + "confidence differs by " + std::to_string(table.largest);
    // Labels that are real numbers are the scores, which are compared above.
    if (options.find("--regression") != std::string::npos) continue;
    const Table rows = cells(found.out);
    for (std::size_t r = 1; r < rows.size(); ++r)
      if (rows[r][1] != expected_rows[r][1] && margin[r - 1] > tie)
        return who + "vertex " + rows[r][0] + " is labeled " + rows[r][1] + ", not " +
               expected_rows[r][1];
  }
  return {};
}

}  // namespace gssl::test
