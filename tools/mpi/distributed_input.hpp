#pragma once
// What the verbs read: the graph on all ranks, the names of own rows, and labels put on them.
//
//   DistributedInput input = read_distributed_graph(session, path, {}, ranks);
//   LabelLines lines = read_label_lines(session, labels, header_words_among(input, ranks), ranks);
//   DistributedLabels given = place_labels(session, lines, regression, input, ranks);

#include <string>
#include <vector>

#include "distributed_components.hpp"
#include "distributed_graph.hpp"
#include "gssl/data/labels.hpp"
#include "session.hpp"
#include "vertex_directory.hpp"

namespace gssl::mpi {

struct DistributedInput {
  DistributedGraph graph;
  VertexNames names;  // of own rows, in their order
  VertexDirectory directory;
  DistributedComponents components;
  std::int64_t unknown_added = 0;  // vertices that only labels name, at the end
};

// `added`: ids that become isolated vertices where the edges do not have them; those of the last
// rank count. Collective; counts and messages go to the session of the first rank.
DistributedInput read_distributed_graph(tool::Session& session, const std::string& path,
                                        const std::vector<std::string>& added,
                                        const Communicator& ranks);

// Label or truth files, read by the first rank: its memory holds them.
struct LabelLines {
  LabelFile file;  // vertices are those of `names`
  VertexNames names;
  std::vector<std::string> ids;  // of file.vertices
};

// Ids of the graph that the first line of a label file may have for a column: there it is no header.
std::vector<std::string> header_words_among(const DistributedInput& input,
                                            const Communicator& ranks);

// On the first rank; elsewhere empty. `known`: ids that are no header. Collective.
LabelLines read_label_lines(const tool::Session& session, const std::string& path,
                            const std::vector<std::string>& known, const Communicator& ranks);

// For ids that are going to be added: takes a first line away that looks like a header.
void drop_header(LabelLines& lines);

// Labels of own rows; classes have the same names and numbers on every rank.
struct DistributedLabels {
  LabeledSet own;
  std::int64_t total = 0;              // over the ranks
  std::vector<double> class_counts;    // over the ranks
  double lowest = 0.0, highest = 0.0;  // of real targets, over the ranks
};

// Follows --unknown-labels and --missing as gssl label does. Throws, on every rank, what that does.
DistributedLabels place_labels(tool::Session& session, LabelLines lines, bool regression,
                               const DistributedInput& input, const Communicator& ranks);

// The true class of each own row: its number among `class_names`, other_class, or no_truth. Vertices
// that are not in the graph are counted.
inline constexpr int other_class = -1;
inline constexpr int no_truth = -2;
std::vector<int> place_truth(tool::Session& session, const std::string& path,
                             const std::vector<std::string>& class_names,
                             const DistributedInput& input, const Communicator& ranks);

}  // namespace gssl::mpi
