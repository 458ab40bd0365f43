#pragma once
// Text tables whose cells may be words or missing. Chunks of lines are split side by side, then
// columns are built side by side.

#include "gssl/io/feature_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

void read_cell_table(const TextSource& source, const FeatureReadOptions& options,
                     const RunContext& run, FeaturesFile& file);

}  // namespace gssl::detail
