#pragma once
// What the tests of io share: graphs from text in memory, compressed bytes, graphs as sorted lines.

#include <string>
#include <string_view>

#include "gssl/io/graph_reader.hpp"

namespace gssl::test {

GraphFile read_text(std::string_view text, const ReadOptions& options = {}, int threads = 1,
                    const std::string& name = "edges.txt");

// "a b 2\n": one line for each edge by names, in vertex order, after a line of all names.
std::string described(const GraphFile& file);

// The message of the Error that reading `text` throws, or "" if it throws none.
std::string message_of(std::string_view text, const ReadOptions& options = {},
                       const std::string& name = "edges.txt");

std::string gzip(std::string_view text);
std::string raw_deflate(std::string_view text);  // as in an archive, nothing around it
std::string zstd(std::string_view text);
std::string xz(std::string_view text);
std::string bzip2(std::string_view text);

// `edges` lines "u v w" over `vertices` ids, with duplicates, loops, and both directions.
std::string random_edges(int vertices, int edges, bool weighted, const std::string& prefix,
                         std::uint64_t seed);

}  // namespace gssl::test
