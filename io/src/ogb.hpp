#pragma once
// Folders of node-property sets of the Open Graph Benchmark (Hu et al., 2020, arXiv:2005.00687):
// raw/edge.csv.gz, raw/num-node-list.csv.gz, raw/node-label.csv.gz, split/NAME/train.csv.gz. A
// vertex is a line number from 0.
//
//   std::optional<std::string> path = ogb_file("arxiv", "edge");   // "arxiv/raw/edge.csv.gz"

#include <optional>
#include <string>

namespace gssl::detail {

// The file NAME.csv.gz or NAME.csv of `folder` or of its folder "raw".
std::optional<std::string> ogb_file(const std::string& folder, const std::string& name);

bool is_folder(const std::string& path);

}  // namespace gssl::detail
