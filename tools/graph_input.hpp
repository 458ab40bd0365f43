#pragma once
// A graph, its vertices by name and its labels, as the verbs read them: counted in the summary and
// told to the person at the terminal.
//
//   GraphFile file = read_graph_file(session, options.graph);
//   VertexId v = vertex_named(file, options.from, "--from");
//   LabeledSet labeled = read_given_labels(session, options.labels, regression, file);

#include <string>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/io/label_reader.hpp"
#include "session.hpp"

namespace gssl::tool {

// Ends the message about a label on an unknown vertex.
inline constexpr const char* unknown_labels_remedy = ", or use --unknown-labels ignore|add";

// The graph with isolated vertices added at the end.
Graph with_isolated(const Graph& graph, VertexId vertex_count);

GraphFile read_graph_file(Session& session, const std::string& path);

// What the file says of itself, and how opposite arcs were merged if nobody told.
void warn_of_input(Session& session, const InputStats& stats);
// What the file says of itself alone.
void warn_of_notes(Session& session, const InputStats& stats);

// Throws ErrorCode::usage, naming `option`, if there is no such vertex.
VertexId vertex_named(const GraphFile& file, const std::string& name, const char* option);

// The same for each of several; ErrorCode::usage also if one is given twice.
std::vector<VertexId> vertices_named(const GraphFile& file, const std::vector<std::string>& names,
                                     const char* option);

// Follows --unknown-labels; `add` lets the graph grow by isolated vertices.
LabeledSet read_given_labels(Session& session, const std::string& path, bool regression,
                             GraphFile& file);

// The same where the graph is somewhere else: of `file` only names and stats are looked at, and
// components are not counted. Not with --unknown-labels add.
LabeledSet read_labels_by_name(Session& session, const std::string& path, bool regression,
                               GraphFile& file);

// What read_given_labels does with labels that are in memory already.
LabeledSet take_given_labels(Session& session, const LabelFile& labels, bool regression,
                             GraphFile& file);

// What --missing says; -1 is a number for regression.
MissingMarks missing_marks(const Session& session, bool regression);

// The same for labels that are compared with `labeled`: -1 is a class if it is one there.
MissingMarks missing_marks(const Session& session, const LabeledSet& labeled);

// Tells the person and the summary, under `key`, how many of the labels say that there is none.
void report_missing(Session& session, const std::string& path, const MissingCount& missing,
                    const std::string& key);

// Where all targets are one class, tells the person that nothing else can be learned.
void warn_of_single_class(Session& session, const Targets& targets);

// Labels of the rows of a table that have one.
LabelFile labels_of_rows(const std::vector<std::string>& labels, const MissingCount& missing,
                         const InputStats& stats);

// Labels of a truth file on vertices of the graph; others are counted and warned of. `point_rows`
// and `part` as in LabelReadOptions.
LabelFile read_truth(Session& session, const std::string& path, VertexNames& names,
                     const MissingMarks& missing, std::int64_t point_rows = -1,
                     LabelPart part = LabelPart::all);

}  // namespace gssl::tool
