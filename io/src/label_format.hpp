#pragma once
// Label and prior files from a source already open.

#include <string>
#include <vector>

#include "graph_formats.hpp"
#include "gssl/io/label_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

LabelFile parse_labels(const TextSource& source, VertexNames& names, UnknownLabels unknown);
std::vector<double> parse_class_priors(const TextSource& source,
                                       const std::vector<std::string>& class_names);

}  // namespace gssl::detail
