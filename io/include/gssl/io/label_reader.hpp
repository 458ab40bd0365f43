#pragma once
// Label, truth and target files, and files of pairs "u v".
//
//   gssl::LabelFile labels = gssl::read_labels("labels.txt", file.names, {});
//   labels.missing.total;  labels.unknown;     // what was left out, and why
//
// Formats, told by content; gzip, zstd and "-" as for graphs:
//   text         "node label", the syntax rules of an edge list; a header line ("node label", or
//                "node value") is skipped. The same vertex twice with the same label is counted;
//                with another label it is ErrorCode::bad_data naming both lines. Of a table with
//                more fields LabelReadOptions::columns says which two are meant.
//   gssl label   what that command wrote (TSV, CSV or JSON lines): rows of status given and
//   inferred
//                count, all others (tied, unreached, unfinished, uncertain) are no answers and are
//                counted as undecided.
//   npy, npz, idx  an array of numbers or of text, a label each. Value i is the label of the vertex
//                named i, from 0; where the vertices are 1 … n and there are n values, of the
//                vertex named i + 1; with point_rows, of row i. Of a .npz "FILE.npz:NAME", or else
//                the array y or the only one.
//   OGB          a folder of the Open Graph Benchmark: raw/node-label.csv.gz, of the vertices that
//                split/NAME/train.csv.gz (or test.csv.gz) lists, or of all. "FOLDER:NAME" takes that
//                split where there are several.
//
// What says that there is no label (missing_labels.hpp) is counted and left out. A vertex that is
// not in the graph is an error that counts and names such ids, ignored, or added as an isolated
// vertex, by UnknownLabels. Files of other kinds are named (ErrorCode::bad_data).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/missing_labels.hpp"

namespace gssl {

enum class UnknownLabels { error, ignore, add };
template <>
inline constexpr auto names_of<UnknownLabels> =
    enum_names<UnknownLabels>("unknown-label policy", {"error", "ignore", "add"});
UnknownLabels parse_unknown_labels(const std::string& name);  // error|ignore|add

// Ends the message about an unknown vertex: what helps beside another id.
inline constexpr const char* label_remedy = ", or have such labels ignored or added";

// Which labels of a folder that says itself what is to be learned from and what to be measured.
enum class LabelPart { train, test, all };

struct LabelReadOptions {
  UnknownLabels unknown = UnknownLabels::error;
  LabelPart part = LabelPart::train;
  MissingMarks missing = {};
  // Rows of points: value i of an array is the label of row i, whatever its name. −1: a graph.
  std::int64_t point_rows = -1;
  // Of the lines of a text, from 1, the field of the vertex and that of its label; refused
  // (ErrorCode::usage) for files that say themselves where their labels are.
  std::optional<std::pair<int, int>> columns = {};
  const char* remedy = label_remedy;
  int threads = 1;  // with two or more, one unpacks a packed file while it is parsed
  // Bytes that a text which has to be held may take, and the labels; 0: no limit. Throws
  // MemoryError.
  std::size_t memory_limit = 0;
};

struct LabelFile {
  std::vector<VertexId> vertices;     // in file order, distinct
  std::vector<std::string> labels;    // as written
  std::vector<std::int64_t> line_of;  // where each was first given, for messages; 0 in an array
  std::int64_t unknown_ignored = 0;
  std::int64_t unknown_added = 0;    // these got the vertices after the graph's, in `names`
  std::vector<std::string> unknown;  // the first ten of either, for messages
  std::int64_t duplicates_merged = 0;
  MissingCount missing;            // left out
  std::int64_t undecided = 0;      // left out: rows of a file of gssl label without an answer
  bool numbered_from_one = false;  // values of an array were given to vertices 1 … n
  // Under UnknownLabels::add: the first line is of a new vertex that is a word, which over a vertex
  // that is a number would be a header.
  bool first_may_be_header = false;
  InputStats stats;
};

// `names` grows only under UnknownLabels::add.
LabelFile read_labels(const std::string& path, VertexNames& names, const LabelReadOptions& options);

struct PairFile {
  std::vector<VertexPair> pairs;  // in file order, repetitions kept
  InputStats stats;
};

// A first line of two words for columns ("u v", "source target") that are no vertices is a header;
// where it names more columns, as in what gssl resistance wrote, the first two count. Or an array
// of ids with two columns: .npy, .npz ("FILE.npz:NAME") or idx.
// Any other vertex that is not in the graph is ErrorCode::bad_data.
// `most_held`: bytes of a text that has to be held, as of a pipe; 0: no limit. Throws MemoryError.
PairFile read_pairs(const std::string& path, const VertexNames& names, std::size_t most_held = 0);

// Classes, or real targets when `regression` (then every label must be a finite number; the message
// gives file and line, or the vertex if `names` are given).
LabeledSet to_labeled_set(const LabelFile& file, bool regression,
                          const VertexNames* names = nullptr);

// "class weight" lines: share of each class, > 0; returned in the order of `class_names`, scaled to
// sum 1. Or an array with one share for each class, in the order of `class_names`. Throws
// ErrorCode::bad_data if a class is missing, unknown or repeated.
std::vector<double> read_class_priors(const std::string& path,
                                      const std::vector<std::string>& class_names);

}  // namespace gssl
