#pragma once
// Label, truth and target files: "node label", and files of pairs "u v"; the same syntax rules as
// an edge list.
//
//   gssl::LabelFile labels = gssl::read_labels("labels.txt", file.names, {});
//
// A header line ("node label", or "node value") is skipped. The same vertex twice with the same
// label is counted; with another label it is ErrorCode::bad_data naming both lines. A vertex that
// is not in the graph is an error, ignored, or added as an isolated vertex, by UnknownLabels.

#include <string>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"

namespace gssl {

enum class UnknownLabels { error, ignore, add };
UnknownLabels parse_unknown_labels(const std::string& name);  // error|ignore|add

struct LabelFile {
  std::vector<VertexId> vertices;     // in file order, distinct
  std::vector<std::string> labels;    // as written
  std::vector<std::int64_t> line_of;  // where each was first given, for messages
  std::int64_t unknown_ignored = 0;
  std::int64_t unknown_added = 0;  // these got the vertices after the graph's, in `names`
  std::int64_t duplicates_merged = 0;
  InputStats stats;
};

// `names` grows only under UnknownLabels::add. `remedy` ends the message about an unknown vertex:
// what helps beside another id.
inline constexpr const char* label_remedy = ", or use --unknown-labels ignore|add";
LabelFile read_labels(const std::string& path, VertexNames& names, UnknownLabels unknown,
                      const char* remedy = label_remedy);

struct PairFile {
  std::vector<VertexPair> pairs;  // in file order, repetitions kept
  InputStats stats;
};

// A first line of two words for columns ("u v", "source target") that are no vertices is a header.
// Any other vertex that is not in the graph is ErrorCode::bad_data.
PairFile read_pairs(const std::string& path, const VertexNames& names);

// Classes, or real targets when `regression` (then every label must be a finite number; the message
// gives file and line).
LabeledSet to_labeled_set(const LabelFile& file, bool regression);

// "class weight" lines: share of each class, > 0; returned in the order of `class_names`, scaled to
// sum 1. Throws ErrorCode::bad_data if a class is missing, unknown or repeated.
std::vector<double> read_class_priors(const std::string& path,
                                      const std::vector<std::string>& class_names);

}  // namespace gssl
