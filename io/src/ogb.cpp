#include "ogb.hpp"

#include <filesystem>
#include <limits>

#include "declared_size.hpp"
#include "edge_collector.hpp"
#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

namespace fs = std::filesystem;

// The only number of a list with a line for each graph.
std::int64_t only_number(const TextSource& source) {
  std::string_view rest = source.text();
  const std::string_view line = trimmed(take_line(rest));
  const auto value = parse_number<std::int64_t>(line);
  if (!value || *value < 0)
    bad_line(source.name(), 1, "'" + shown(line) + "'; expected a number of 0 or more");
  if (!trimmed(rest).empty())
    bad_line(source.name(), 2,
             "a second graph; sets of many graphs are not read; expected one of nodes");
  return *value;
}

class OgbEdges {
 public:
  OgbEdges(const TextSource& source, VertexId size) : source_(source), size_(size) {}

  // Calls edge(u, v) for each line "u,v"; returns the number of lines.
  template <class Edge>
  std::int64_t walk(const RunContext& run, Edge&& edge) {
    std::string_view rest = source_.text();
    for (number_ = 0; !rest.empty();) {
      const std::string_view line = trimmed(take_line(rest));
      if (++number_ % 65536 == 0)
        check_progress(run, 1.0 - static_cast<double>(rest.size()) /
                                      static_cast<double>(source_.text().size()));
      if (line.empty()) continue;
      const std::size_t comma = std::min(line.find(','), line.size());
      const VertexId u = vertex(line.substr(0, comma), line);
      edge(u, vertex(line.substr(std::min(comma + 1, line.size())), line));
    }
    return number_;
  }

 private:
  VertexId vertex(std::string_view text, std::string_view line) const {
    const auto value = parse_number<std::int64_t>(trimmed(text));
    if (!value || *value < 0 || *value >= size_)
      bad_line(source_.name(), number_,
               "'" + shown(line) + "'; expected 'u,v' with vertices from 0 to " +
                   std::to_string(size_ - 1));
    return static_cast<VertexId>(*value);
  }

  const TextSource& source_;
  VertexId size_;
  std::int64_t number_ = 0;
};

// The weights of the edges, a line each, where the folder has them.
class OgbWeights {
 public:
  explicit OgbWeights(const std::string& folder) {
    for (const char* name : {"edge_weight", "edge-weight"})
      if (const auto path = ogb_file(folder, name); path && !source_) {
        source_.emplace(TextSource::open(*path));
        rest_ = source_->text();
      }
  }

  double next() {
    if (!source_) return 1.0;
    ++number_;
    if (rest_.empty())
      bad_line(source_->name(), number_, "the end; expected a weight for each edge");
    return parse_weight(trimmed(take_line(rest_)), source_->name(), number_);
  }

  void finish() const {
    if (source_ && !trimmed(rest_).empty())
      bad_line(source_->name(), number_ + 1, "a weight more; expected one for each edge");
  }

 private:
  std::optional<TextSource> source_;
  std::string_view rest_;
  std::int64_t number_ = 0;
};

// The graph of the edges in `source`.
GraphFile read_edges(const TextSource& source, const std::string& folder,
                     const ReadOptions& options, const RunContext& run) {
  GraphFile file;
  start_stats(source, to_string(GraphFormat::ogb), file.stats);
  const TextSource nodes = TextSource::open(needed_ogb_file(folder, "num-node-list"));
  const std::int64_t n = only_number(nodes);
  const std::string rule = declared_too_many(static_cast<std::uint64_t>(n), source.text().size());
  if (!rule.empty()) bad_line(nodes.name(), 1, rule);
  EdgeCollector edges(options);
  OgbWeights weights(folder);
  const std::int64_t lines =
      OgbEdges(source, static_cast<VertexId>(n)).walk(run, [&](VertexId u, VertexId v) {
        edges.add(u, v, weights.next());
      });
  weights.finish();
  if (ogb_file(folder, "edge-feat"))
    file.stats.notes.emplace_back("its features of edges are not read");
  if (const auto path = ogb_file(folder, "num-edge-list")) {
    const std::int64_t promised = only_number(TextSource::open(*path));
    if (promised != lines)
      bad_line(source.name(), lines,
               std::to_string(lines) + " edges; " + *path + " says " + std::to_string(promised) +
                   "; the file is cut short");
  }
  file.stats.lines = lines;
  file.names = VertexNames::numbered(static_cast<VertexId>(n));
  edges.finish(source, run, file);
  return file;
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path != "-" && fs::is_directory(path, ignored);
}

std::optional<std::string> ogb_file(const std::string& folder, const std::string& name) {
  for (const char* inside : {"raw/", ""}) {
    for (const char* ending : {".csv.gz", ".csv"}) {
      const fs::path path = fs::path(folder) / (inside + name + ending);
      std::error_code ignored;
      if (fs::is_regular_file(path, ignored)) return path.string();
    }
  }
  return std::nullopt;
}

std::string needed_ogb_file(const std::string& folder, const std::string& name) {
  if (auto path = ogb_file(folder, name)) return *path;
  throw Error(ErrorCode::cannot_open,
              folder + ": is a folder without raw/" + name +
                  ".csv.gz; expected a file, or a folder of the Open Graph Benchmark");
}

GraphFile read_ogb_folder(const std::string& folder, const ReadOptions& options,
                          const RunContext& run) {
  if (options.format != GraphFormat::automatic && options.format != GraphFormat::ogb)
    throw Error(ErrorCode::cannot_open, folder + ": is a directory; expected a file of format " +
                                            to_string(options.format));
  const TextSource source = TextSource::open(needed_ogb_file(folder, "edge"));
  return source.read_whole([&] { return read_edges(source, folder, options, run); });
}

}  // namespace gssl::detail
