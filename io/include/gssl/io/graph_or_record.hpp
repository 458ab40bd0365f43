#pragma once
// A file of which only its content tells whether it is a graph or a record (a model, a session):
// standard input cannot be looked at twice.
//
//   const gssl::GraphOrRecord read = gssl::read_graph_or_record("-", {}, run);
//   if (const auto* record = std::get_if<gssl::RecordFile>(&read)) …

#include <string>
#include <variant>

#include "gssl/io/graph_reader.hpp"
#include "gssl/io/record_file.hpp"

namespace gssl {

using GraphOrRecord = std::variant<GraphFile, RecordFile>;

// Throws what read_graph() does, or what read_record() does where the file begins as a record.
GraphOrRecord read_graph_or_record(const std::string& path, const ReadOptions& options = {},
                                   const RunContext& run = {});

}  // namespace gssl
