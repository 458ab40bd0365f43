#pragma once
// Folders of node-property sets of the Open Graph Benchmark (Hu et al., 2020, arXiv:2005.00687):
// raw/edge.csv.gz, raw/num-node-list.csv.gz, raw/node-label.csv.gz, split/NAME/train.csv.gz. A
// vertex is a line number from 0.
//
//   std::optional<std::string> path = ogb_file("arxiv", "edge");   // "arxiv/raw/edge.csv.gz"

#include <optional>
#include <string>
#include <vector>

#include "gssl/io/label_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

// The file NAME.csv.gz or NAME.csv of `folder` or of its folder "raw".
std::optional<std::string> ogb_file(const std::string& folder, const std::string& name);

bool is_folder(const std::string& path);

// Throws ErrorCode::cannot_open where the folder has no such file.
std::string needed_ogb_file(const std::string& folder, const std::string& name);

struct OgbLabel {
  VertexId vertex = 0;
  std::string label;  // as written; what is missing, too
};

// The labels of a part, in the order of its list; `split` is the name of a folder in "split", and may
// be empty where there is one. Throws ErrorCode::bad_data for lines that are no numbers of vertices
// and for several labels a vertex, ErrorCode::cannot_open where there is no such split and
// ErrorCode::usage where there are several and none is named.
std::vector<OgbLabel> read_ogb_labels(const TextSource& labels, const std::string& folder,
                                      const std::string& split, LabelPart part);

}  // namespace gssl::detail
