#include "evaluation_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

// Keeps what has a truth, in order of vertices.
void take_truth(Session& session, const LabelFile& labels, bool regression,
                EvaluationInput& input) {
  const LabeledSet known = to_labeled_set(labels, regression, &input.file.names);
  if (known.size() < 2)
    throw Error(ErrorCode::bad_data, "the truth of fewer than two vertices is known");
  input.truth = known.targets();
  input.vertices = known.vertices();
  warn_of_single_class(session, input.truth);
}

// From TRUTH, or else the labels that came with the points.
LabelFile truth_of_points(Session& session, const EvaluateOptions& options,
                          const MissingMarks& marks, FeaturesFile& points) {
  if (!options.truth.empty())
    return session.timed("read", [&] {
      return read_truth(session, options.truth, points.names, marks, points.table.row_count());
    });
  if (points.labels.empty() && points.table.row_count() > 0)
    throw Error(ErrorCode::usage, options.points +
                                      ": no truth: give TRUTH, or --label-column if it is among "
                                      "the points");
  report_missing(session, options.points, points.missing, "truth_missing");
  return labels_of_rows(points.labels, points.missing, points.stats);
}

// The rows as points, which lends them to graphs. Throws ErrorCode::bad_data where they are not.
class LentPoints {
 public:
  LentPoints(FeaturesFile& file, const std::string& path) : file_(file) {
    for (std::size_t c = 0; c < file.table.columns.size(); ++c) {
      const FeatureColumn& column = file.table.columns[c];
      const bool gaps = std::ranges::any_of(column.numbers, [](double x) { return std::isnan(x); });
      if (column.of_words || gaps)
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}: column {} {}: there are no distances between rows to make a "
                                "graph of; leave out the options of graphs",
                                path, file.table.column_name(static_cast<std::int64_t>(c)),
                                column.of_words ? "holds words" : "lacks a cell"));
    }
    points_.points = std::move(file.table.points);
    points_.names = std::move(file.names);
  }
  LentPoints(const LentPoints&) = delete;
  LentPoints& operator=(const LentPoints&) = delete;
  ~LentPoints() {
    file_.table.points = std::move(points_.points);
    file_.names = std::move(points_.names);
  }
  const PointsFile& points() const { return points_; }

 private:
  FeaturesFile& file_;
  PointsFile points_;
};

// Puts the rows in the order of the vertices, by name. A row that no edge names is a vertex alone.
void join_rows(Session& session, const EvaluateOptions& options, FeaturesFile& rows,
               std::vector<double>& weights, GraphFile& file) {
  std::vector<VertexId> row_of(static_cast<std::size_t>(file.names.size()), no_vertex);
  const std::size_t in_graph = row_of.size();
  for (VertexId r = 0; r < rows.names.size(); ++r) {
    const auto v = static_cast<std::size_t>(file.names.insert(rows.names.name(r)));
    if (v == row_of.size()) row_of.push_back(no_vertex);
    row_of[v] = r;
  }
  const auto missing = std::ranges::find(row_of, no_vertex);
  if (missing != row_of.end())
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{}: no row for {} of the {} vertices of {}, as '{}': rows are called by "
                    "their number from 0, or by --id-column",
                    options.points, std::ranges::count(row_of, no_vertex), in_graph, options.graph,
                    file.names.name(static_cast<VertexId>(missing - row_of.begin()))));
  if (row_of.size() > in_graph) {
    session.warn(fmt::format("{}: {} rows are in no edge of {}: vertices without a neighbor",
                             options.points, row_of.size() - in_graph, options.graph));
    file.graph = with_isolated(file.graph, file.names.size());
  }
  rows.table = select(rows.table, row_of);
  const std::vector<double> of_rows = std::exchange(weights, {});
  if (of_rows.empty()) return;
  for (const VertexId r : row_of) weights.push_back(of_rows[static_cast<std::size_t>(r)]);
}

// One graph for each choice of the grids.
void build_graphs(Session& session, const PointsFile& points, const EvaluateOptions& options,
                  EvaluationInput& input) {
  std::vector<std::int64_t> neighbors = options.knn_grid;
  std::vector<std::string> weights = options.weights_grid;
  const bool chosen = !neighbors.empty() || !weights.empty();
  if (neighbors.empty()) neighbors = {options.build.knn};
  if (weights.empty()) weights = {options.build.weights};
  for (const std::int64_t k : neighbors)
    for (const std::string& kind : weights) {
      PointsGraphOptions build = options.build;
      build.knn = static_cast<int>(k);
      build.weights = kind;
      Graph graph =
          session.timed("build", [&] { return build_graph(session, points, build).graph; });
      if (chosen) input.graphs.emplace_back(fmt::format("knn={},weights={}", k, kind), graph);
      if (input.file.graph.vertex_count() == 0) input.file.graph = std::move(graph);
    }
}

// "3" or "3-7", from 1.
void add_columns(const std::string& text, std::int64_t columns, std::set<std::int64_t>& group) {
  const std::size_t dash = text.find('-');
  const auto first = parse_number<std::int64_t>(text.substr(0, dash));
  const auto last =
      dash == std::string::npos ? first : parse_number<std::int64_t>(text.substr(dash + 1));
  if (!first || !last || *first < 1 || *last < *first || *last > columns)
    throw Error(ErrorCode::usage,
                fmt::format("--ablate: '{}': expected a column or a range of 1 to {}, such as 3-5",
                            text, columns));
  for (std::int64_t c = *first; c <= *last; ++c) group.insert(c - 1);
}

FeatureTable without_columns(FeatureTable table, const std::set<std::int64_t>& group) {
  for (auto column = group.rbegin(); column != group.rend(); ++column) drop_column(table, *column);
  return table;
}

// "NAME=1,3-4;NAME=5", or "columns": each on its own.
std::vector<std::pair<std::string, FeatureTable>> ablated(const FeatureTable& table,
                                                          const std::string& text) {
  std::vector<std::pair<std::string, FeatureTable>> all;
  const std::int64_t columns = table.column_count();
  const auto add = [&](const std::string& name, const std::set<std::int64_t>& group) {
    if (std::ssize(group) >= columns)
      throw Error(ErrorCode::usage, "--ablate: " + name + " leaves no column");
    all.emplace_back(name, without_columns(table, group));
  };
  if (text == "columns") {
    for (std::int64_t c = 0; c < columns; ++c) add(fmt::format("column {}", c + 1), {c});
    return all;
  }
  std::istringstream groups(text);
  for (std::string assignment; std::getline(groups, assignment, ';');) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage, "--ablate: '" + assignment +
                                        "': expected NAME=COLUMNS, such as petal=3-4, or columns");
    std::set<std::int64_t> group;
    std::istringstream parts(assignment.substr(equals + 1));
    for (std::string part; std::getline(parts, part, ',');) add_columns(part, columns, group);
    if (group.empty())
      throw Error(ErrorCode::usage, "--ablate: '" + assignment + "' names no column");
    add(assignment.substr(0, equals), group);
  }
  return all;
}

// Of the rows that have a truth.
void take_weights_of_truths(std::vector<double> weights, EvaluationInput& input) {
  if (weights.empty()) return;
  for (const VertexId row : input.vertices)
    input.weights.push_back(weights[static_cast<std::size_t>(row)]);
}

bool learns_from_rows(const LearnerRegistry& registry, const std::string& method) {
  return registry.make(expand_grid(method).front()).inductive_learner != nullptr;
}

LabelFile truth_of_vertices(Session& session, const EvaluateOptions& options,
                            const MissingMarks& marks, EvaluationInput& input) {
  return session.timed("read",
                       [&] { return read_truth(session, options.truth, input.file.names, marks); });
}

// Rows of --points, of the vertices of GRAPH where it was read, and their truth.
void read_rows(Session& session, const EvaluateOptions& options, const MissingMarks& marks,
               EvaluationInput& input) {
  FeaturesFile file = read_features_file(
      session, options.points,
      feature_read_options(session, options.build, options.columns, options.regression));
  check_categorical(file, options.points, options.columns);
  std::vector<double> weights = take_weights(file, options.points, options.columns);
  LabelFile truth;
  if (input.has_graph) {
    join_rows(session, options, file, weights, input.file);
    truth = truth_of_vertices(session, options, marks, input);
  } else {
    truth = truth_of_points(session, options, marks, file);
    if (first_given(options.build, "Graph") != nullptr || !options.knn_grid.empty()) {
      const LentPoints lent(file, options.points);
      build_graphs(session, lent.points(), options, input);
      input.has_graph = true;
    }
    input.file.names = std::move(file.names);
  }
  input.without = ablated(file.table, options.ablate);
  input.table = std::move(file.table);
  input.has_points = true;
  take_truth(session, truth, options.regression, input);
  take_weights_of_truths(std::move(weights), input);
}

}  // namespace

EvaluationInput read_input(Session& session, const EvaluateOptions& options) {
  EvaluationInput input;
  input.training = training_options(options.training, options.regression);
  const MissingMarks marks = missing_marks(session, options.regression);
  if (!options.graph.empty()) {
    input.file = read_graph_file(session, options.graph);
    input.has_graph = true;
  }
  if (options.points.empty())
    take_truth(session, truth_of_vertices(session, options, marks, input), options.regression,
               input);
  else
    read_rows(session, options, marks, input);
  return input;
}

EvaluationProblem problem_of(const EvaluationInput& input) {
  EvaluationProblem problem{.truth = input.truth,
                            .vertices = input.vertices,
                            .graph = input.has_graph ? &input.file.graph : nullptr,
                            .weights = input.weights,
                            .training = input.training};
  if (input.has_points) {
    problem.table = &input.table;
    if (input.table.columns.empty()) problem.points = &input.table.points;
  }
  for (const auto& [name, graph] : input.graphs) problem.graphs.push_back({name, &graph});
  return problem;
}

std::vector<std::string> methods_with_ablation(const LearnerRegistry& registry,
                                               const std::vector<std::string>& methods,
                                               const EvaluationInput& input,
                                               EvaluationProblem& problem) {
  std::vector<std::string> all = methods;
  if (input.without.empty()) return all;
  problem.tables_of_method.assign(methods.size(), nullptr);
  for (const std::string& method : methods) {
    if (!learns_from_rows(registry, method)) continue;
    for (const auto& [name, table] : input.without) {
      all.push_back(method);
      problem.tables_of_method.push_back(&table);
    }
  }
  return all;
}

std::vector<std::string> method_names(const LearnerRegistry& registry,
                                      const std::vector<std::string>& methods,
                                      const EvaluationInput& input) {
  std::vector<std::string> names = methods;
  for (const std::string& method : methods) {
    if (input.without.empty() || !learns_from_rows(registry, method)) continue;
    for (const auto& [name, table] : input.without)
      names.push_back(fmt::format("{} without {}", method, name));
  }
  return names;
}

std::vector<Trial> read_splits(const std::string& path, const EvaluationInput& input) {
  std::vector<std::int32_t> row_of(static_cast<std::size_t>(input.file.names.size()), -1);
  for (std::size_t i = 0; i < input.vertices.size(); ++i)
    row_of[static_cast<std::size_t>(input.vertices[i])] = static_cast<std::int32_t>(i);
  std::ifstream in(path);
  if (!in) throw Error(ErrorCode::cannot_open, path + ": cannot be read");
  std::vector<Trial> trials;
  std::string line, word;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::ranges::replace(line, ',', ' ');
    std::vector<std::set<std::int32_t>> parts(1);
    for (std::istringstream words(line); words >> word;) {
      if (word == "|") {
        parts.emplace_back();
        continue;
      }
      const VertexId v = input.file.names.find(word);
      const std::int32_t row = v == no_vertex ? -1 : row_of[static_cast<std::size_t>(v)];
      if (row < 0)
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}:{}: '{}': no vertex or row with a truth", path, number, word));
      parts.back().insert(row);
    }
    trials.push_back(split_trial(parts, input.truth.size(), fmt::format("{}:{}: ", path, number)));
  }
  if (trials.empty()) throw Error(ErrorCode::bad_data, path + ": no splits");
  return trials;
}

}  // namespace gssl::tool
