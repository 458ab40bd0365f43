#pragma once
// Label and prior files and vertex lists from a source already open.

#include <string>
#include <vector>

#include "graph_formats.hpp"
#include "gssl/io/label_reader.hpp"
#include "gssl/io/vertex_list.hpp"
#include "text_source.hpp"

namespace gssl::detail {

// `member` is what follows "FILE.npz:".
LabelFile parse_labels(const TextSource& source, const std::string& member, VertexNames& names,
                       const LabelReadOptions& options);
PairFile parse_pairs(const TextSource& source, const VertexNames& names,
                     const std::string& member = {});
std::vector<double> parse_class_priors(const TextSource& source,
                                       const std::vector<std::string>& class_names,
                                       const std::string& member = {});

VertexListFile parse_vertex_list(const TextSource& source, const VertexNames& names,
                                 const std::string& member = {});

}  // namespace gssl::detail
