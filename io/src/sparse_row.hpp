#pragma once
// One libsvm row, "label index:value index:value …", read fast: what a stream of such rows costs is
// this.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gssl::detail {

// Appends to `columns` (from 0, ascending) and `values` what `pairs` holds. Throws as bad_line().
void read_sparse_row(std::string_view pairs, const std::string& file, std::int64_t line,
                     std::vector<std::int32_t>& columns, std::vector<double>& values);

}  // namespace gssl::detail
