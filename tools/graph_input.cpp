#include "graph_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "read_room.hpp"

namespace gssl::tool {
namespace {

// "7 (line 2), 9 (line 3), …"
std::string first_unknown(const LabelFile& labels, std::int64_t count) {
  const bool more = count > static_cast<std::int64_t>(labels.unknown.size());
  return fmt::format("{}{}", fmt::join(labels.unknown, ", "), more ? ", …" : "");
}

// What the format of a label file makes of its rows.
void report_form(Session& session, const LabelFile& labels, const std::string& key) {
  if (labels.undecided > 0) {
    session.summary.set(key, labels.undecided);
    session.say(
        fmt::format("{}: {} rows are tied, unreached, unfinished or uncertain: they are no labels",
                    labels.stats.path, labels.undecided));
  }
  if (labels.numbered_from_one) {
    session.say(fmt::format("{}: its values are those of the vertices 1, 2, …, in this order",
                            labels.stats.path));
  }
}

// Where vertices are called by their place, labels made for other ids fit by chance alone: an id
// that does not fit shows it.
void warn_of_numbering(Session& session, const LabelFile& labels) {
  if (session.unnamed_graph.empty() || labels.unknown.empty()) return;
  session.warn(fmt::format(
      "{} has no names, so its vertices are called 1, 2, … by their place; {} names others: if its "
      "ids count from 0, or are those of another file, all of it is on wrong vertices",
      session.unnamed_graph, labels.stats.path));
}

// A mark of "no label" that --missing does not know looks so.
void warn_of_one_class(Session& session, const std::string& path, const LabeledSet& labeled) {
  constexpr std::size_t fewest = 20;
  constexpr double nearly_all = 0.9;
  if (labeled.is_regression() || labeled.class_count() < 2 || labeled.size() < fewest) return;
  std::vector<std::size_t> count(static_cast<std::size_t>(labeled.class_count()), 0);
  for (const int k : labeled.class_of()) ++count[static_cast<std::size_t>(k)];
  const auto largest = std::ranges::max_element(count);
  const double share = static_cast<double>(*largest) / static_cast<double>(labeled.size());
  if (share < nearly_all) return;
  const std::string& name =
      labeled.class_names()[static_cast<std::size_t>(largest - count.begin())];
  session.warn(
      fmt::format("{}: class '{}' holds {} of {} labels ({:.1f}%); if it means that there "
                  "is no label, say --missing 'default,{}'",
                  path, name, *largest, labeled.size(), 100.0 * share, name));
}

}  // namespace

Graph with_isolated(const Graph& graph, VertexId vertex_count) {
  std::vector<EdgeIndex> offsets(graph.offset_array().begin(), graph.offset_array().end());
  offsets.resize(static_cast<std::size_t>(vertex_count) + 1, offsets.back());
  return Graph(std::move(offsets), {graph.neighbor_array().begin(), graph.neighbor_array().end()},
               {graph.weight_array().begin(), graph.weight_array().end()});
}

GraphFile read_graph_file(Session& session, const std::string& path) {
  session.check_inputs();
  refuse_too_large(session, path);
  GraphFile file = session.timed(
      "read", [&] { return read_graph(path, session.options().read_options(), session.run); });
  session.summary.add_input(file.stats);
  if (!file.stats.names_given) session.unnamed_graph = path;
  const std::string sizes = session.record_graph(file);
  session.say(fmt::format("gssl {}: {}: {}", session.command(), path, sizes));
  warn_of_input(session, file.stats);
  session.check_cancelled();
  session.take_room();
  return file;
}

void warn_of_notes(Session& session, const InputStats& stats) {
  for (const std::string& note : stats.notes) session.warn(fmt::format("{}: {}", stats.path, note));
}

void warn_of_input(Session& session, const InputStats& stats) {
  warn_of_notes(session, stats);
  if (stats.opposite_differ == 0 || !session.options().directed.empty()) return;
  session.warn(fmt::format(
      "{}: {} edges are given in both directions with different weights; the {} is taken (with "
      "--directed, their sum, max or mean)",
      stats.path, stats.opposite_differ,
      session.options().duplicates == "first" ? "first" : "larger"));
}

VertexId vertex_named(const GraphFile& file, const std::string& name, const char* option) {
  const VertexId v = file.names.find(name);
  if (v == no_vertex) {
    throw Error(ErrorCode::usage,
                fmt::format("{} {}: no such vertex in {}", option, name, file.stats.path));
  }
  return v;
}

std::vector<VertexId> vertices_named(const GraphFile& file, const std::vector<std::string>& names,
                                     const char* option) {
  std::vector<VertexId> vertices;
  for (const std::string& name : names) {
    const VertexId v = vertex_named(file, name, option);
    if (std::ranges::find(vertices, v) != vertices.end())
      throw Error(ErrorCode::usage, fmt::format("{} {}: is given twice", option, name));
    vertices.push_back(v);
  }
  return vertices;
}

namespace {

// Whether the two files read without an error the other way round.
bool are_swapped(const Session& session, const std::string& labels, const std::string& graph) {
  std::error_code ignored;
  for (const std::string& path : {labels, graph})
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    GraphFile other = read_graph(labels, session.options().read_options(), session.run);
    return !read_labels(graph, other.names, {}).vertices.empty();
  } catch (const Error&) {
    return false;
  }
}

// -1 stands for "no label" by itself beside classes 0, 1, … alone.
void warn_of_minus_one(Session& session, const std::string& path,
                       const std::vector<std::string>& classes) {
  if (session.options().missing != "default" || std::ranges::count(classes, "-1") == 0) return;
  const auto is_number = [](const std::string& name) {
    return parse_number<double>(name).has_value();
  };
  if (classes.size() < 2 || std::ranges::count_if(classes, is_number) > 1) return;
  session.warn(
      fmt::format("{}: the label -1 stands beside words and is a class: where it says that there "
                  "is no label, say --missing default,-1",
                  path));
}

LabelFile read_label_file(Session& session, const std::string& path, bool regression,
                          GraphFile& file) {
  session.check_cancelled();
  std::string remedy = unknown_labels_remedy;
  if (!session.unnamed_graph.empty()) {
    remedy += fmt::format(" ({} has no names: its vertices are called 1 to {} by their place)",
                          session.unnamed_graph, file.names.size());
  }
  const UnknownLabels unknown = parse_unknown_labels(session.options().unknown_labels);
  if (file.names.size() == 0 && unknown != UnknownLabels::add)
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{}: a graph of 0 vertices; there is nothing to label", file.stats.path));
  try {
    LabelFile labels = read_labels(path, file.names,
                                   {.unknown = unknown,
                                    .missing = missing_marks(session, regression),
                                    .columns = session.options().columns_of_labels(),
                                    .remedy = remedy.c_str(),
                                    .threads = session.run.thread_count(),
                                    .memory_limit = session.run.memory_limit});
    session.summary.add_input(labels.stats);
    warn_of_notes(session, labels.stats);
    return labels;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data || !are_swapped(session, path, file.stats.path)) throw;
    throw error.with_message(
        fmt::format("{}; the two files look swapped: give {} as GRAPH, and {} as LABELS",
                    error.what(), path, file.stats.path));
  }
}

// Of labels on vertices that have names; says what was missing or not known.
LabeledSet named_labels(Session& session, const LabelFile& labels, bool regression,
                        const GraphFile& file) {
  const std::string& path = labels.stats.path;
  session.summary.set("labels_unknown_ignored", labels.unknown_ignored);
  session.summary.set("labels_unknown_added", labels.unknown_added);
  session.summary.set("labels_duplicates_merged", labels.duplicates_merged);
  report_missing(session, path, labels.missing, "labels_missing");
  report_form(session, labels, "labels_undecided");
  if (labels.unknown_ignored > 0) {
    session.warn(fmt::format("{}: ignored {} labels on vertices that are not in the graph: {}",
                             path, labels.unknown_ignored,
                             first_unknown(labels, labels.unknown_ignored)));
  }
  warn_of_numbering(session, labels);
  LabeledSet labeled = to_labeled_set(labels, regression, &file.names);
  warn_of_minus_one(session, path, labeled.class_names());
  warn_of_one_class(session, path, labeled);
  return labeled;
}

}  // namespace

LabeledSet take_given_labels(Session& session, const LabelFile& labels, bool regression,
                             GraphFile& file) {
  if (labels.unknown_added > 0) {
    session.warn(fmt::format("{}: added {} vertices that are not in the graph: {}",
                             labels.stats.path, labels.unknown_added,
                             first_unknown(labels, labels.unknown_added)));
    session.timed("build", [&] { file.graph = with_isolated(file.graph, file.names.size()); });
    session.summary.set("n", static_cast<std::int64_t>(file.graph.vertex_count()));
  }
  LabeledSet labeled = named_labels(session, labels, regression, file);
  if (!session.options().summary.empty())  // a look at all edges, for that alone
    session.summary.set("components",
                        static_cast<std::int64_t>(connected_components(file.graph).count));
  session.summary.set("classes", labeled.class_count());
  session.summary.set("labelled", static_cast<std::int64_t>(labeled.size()));
  session.check_cancelled();
  return labeled;
}

LabeledSet read_given_labels(Session& session, const std::string& path, bool regression,
                             GraphFile& file) {
  return take_given_labels(session, read_label_file(session, path, regression, file), regression,
                           file);
}

LabeledSet read_labels_by_name(Session& session, const std::string& path, bool regression,
                               GraphFile& file) {
  const LabelFile labels = read_label_file(session, path, regression, file);
  LabeledSet labeled = named_labels(session, labels, regression, file);
  session.summary.set("classes", labeled.class_count());
  session.summary.set("labelled", static_cast<std::int64_t>(labeled.size()));
  session.check_cancelled();
  return labeled;
}

MissingMarks missing_marks(const Session& session, bool regression) {
  MissingMarks marks = parse_missing_marks(session.options().missing);
  if (regression) marks.minus_one = MissingMarks::MinusOne::is_label;
  return marks;
}

MissingMarks missing_marks(const Session& session, const LabeledSet& labeled) {
  MissingMarks marks = missing_marks(session, labeled.is_regression());
  const auto minus_one = [](const std::string& name) { return parse_number<double>(name) == -1.0; };
  if (std::ranges::any_of(labeled.class_names(), minus_one))
    marks.minus_one = MissingMarks::MinusOne::is_label;
  return marks;
}

void report_missing(Session& session, const std::string& path, const MissingCount& missing,
                    const std::string& key) {
  session.summary.set(key, missing.total);
  if (missing.total == 0) return;
  std::vector<std::string> marks;
  for (const auto& [mark, count] : missing.marks) marks.push_back(mark);
  session.summary.set(key + "_marks", marks);
  const std::string found = fmt::format("{}: {} labels say that there is none ({})", path,
                                        missing.total, missing.sentence());
  if (missing.minus_one_by_rule) {
    session.warn(found +
                 ": -1 is taken so beside classes that are numbered from 0 or 1; where it is a "
                 "class, say --missing none");
  } else {
    session.say(found + (missing.words() > 0 ? "; --missing none makes classes of words" : ""));
  }
}

void warn_of_single_class(Session& session, const Targets& targets) {
  if (targets.is_regression() || targets.class_count() != 1) return;
  session.warn(fmt::format("every target is '{}': the model can answer nothing else",
                           targets.class_names()[0]));
}

LabelFile labels_of_rows(const std::vector<std::string>& labels, const MissingCount& missing,
                         const InputStats& stats) {
  LabelFile file;
  file.stats = stats;
  file.missing = missing;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row].empty()) continue;
    file.vertices.push_back(static_cast<VertexId>(row));
    file.labels.push_back(labels[row]);
    file.line_of.push_back(0);
  }
  return file;
}

LabelFile read_truth(Session& session, const std::string& path, VertexNames& names,
                     const MissingMarks& missing, std::int64_t point_rows, LabelPart part) {
  LabelFile truth = read_labels(path, names,
                                {.unknown = UnknownLabels::ignore,
                                 .part = part,
                                 .missing = missing,
                                 .point_rows = point_rows,
                                 .columns = session.options().columns_of_labels(),
                                 .threads = session.run.thread_count(),
                                 .memory_limit = session.run.memory_limit});
  session.summary.add_input(truth.stats);
  warn_of_notes(session, truth.stats);
  session.summary.set("truth_unknown_ignored", truth.unknown_ignored);
  report_missing(session, truth.stats.path, truth.missing, "truth_missing");
  report_form(session, truth, "truth_undecided");
  if (truth.unknown_ignored > 0) {
    session.warn(fmt::format("{}: ignored {} vertices that are not in the graph: {}", path,
                             truth.unknown_ignored, first_unknown(truth, truth.unknown_ignored)));
    warn_of_numbering(session, truth);
  }
  session.check_cancelled();
  return truth;
}

}  // namespace gssl::tool
