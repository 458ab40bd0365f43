#include "graph_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "gssl/core/error.hpp"

namespace gssl::tool {
namespace {

constexpr std::array edge_lists = {"",       ".tsv",      ".csv", ".txt", ".tab",
                                   ".edges", ".edgelist", ".el",  ".dat"};

std::string lower_extension(const std::string& path) {
  if (path == "-") return {};
  std::error_code ignored;
  const bool device =
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  if (device) return {};
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

GraphFormat format_of(const std::string& path, const std::string& extension) {
  const GraphFormat format = written_format(extension);
  if (format != GraphFormat::automatic) return format;
  const bool known =
      std::ranges::any_of(edge_lists, [&](std::string_view name) { return extension == name; });
  if (known) return GraphFormat::edge_list;
  throw Error(
      ErrorCode::usage,
      fmt::format("{}: gssl writes no '{}'; it writes edge lists (.tsv, .csv, .txt, .tab, "
                  ".edges, .edgelist, .el, .dat), Matrix Market (.mtx), METIS (.graph, .metis), "
                  "binary graphs (.gssl), GraphML (.graphml), GEXF (.gexf), GML (.gml) and DOT "
                  "(.dot, .gv); name the file so, or force a format with --output-format",
                  path, extension));
}

}  // namespace

std::vector<std::string> written_graph_formats() {
  std::vector<std::string> names;
  for (const std::string& name : graph_format_names())
    if (name != "automatic" && can_write(parse_graph_format(name))) names.push_back(name);
  return names;
}

GraphOutput graph_output(const std::string& path, const std::string& told, const std::string& table,
                         bool table_told) {
  GraphOutput output;
  const std::string extension = lower_extension(path);
  if (extension == ".gz" || extension == ".zst" || extension == ".xz" || extension == ".bz2") {
    throw Error(
        ErrorCode::usage,
        fmt::format("{}: gssl writes plain text; write to '-' and pipe it to the compressor",
                    path));
  }
  output.format = told.empty() ? format_of(path, extension) : parse_graph_format(told);
  output.table = parse_table_format(table);
  if (output.table == TableFormat::jsonl) {
    throw Error(ErrorCode::usage, "--format jsonl: a graph is written as tsv or csv");
  }
  if (extension == ".csv" && !table_told) output.table = TableFormat::csv;
  return output;
}

}  // namespace gssl::tool
