#pragma once
// One function per format of feature vectors. Each fills points, names where the format has ids,
// labels where it has them, and the number of lines.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_formats.hpp"
#include "gssl/io/points_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

void read_points_table(const TextSource& source, const PointsReadOptions& options,
                       const RunContext& run, PointsFile& file);
void read_libsvm(const TextSource& source, const RunContext& run, PointsFile& file);
void read_npy(const TextSource& source, PointsFile& file);
void read_npz(const TextSource& source, const std::string& member, const PointsReadOptions& options,
              PointsFile& file);
void read_idx(const TextSource& source, PointsFile& file);

// Whether the first line of data looks like libsvm's "label index:value …"; nothing where all lines
// are single words, as a row of zeros is.
std::optional<bool> looks_like_libsvm(std::string_view text);

// The format that is told or, where that is automatic, looks like it. Throws ErrorCode::bad_data
// for files of other kinds.
PointsFormat points_format(const TextSource& source, const PointsReadOptions& options);

// All of read_points() but the opening; `member` is what follows "FILE.npz:".
PointsFile parse_points(const TextSource& source, const std::string& member,
                        const PointsReadOptions& options, const RunContext& run);

}  // namespace gssl::detail
