#include "gssl/io/graph_or_record.hpp"

#include "graph_formats.hpp"
#include "ogb.hpp"
#include "record_parser.hpp"

namespace gssl {

GraphOrRecord read_graph_or_record(const std::string& path, const ReadOptions& options,
                                   const RunContext& run) {
  if (detail::is_folder(path)) return detail::read_ogb_folder(path, options, run);
  const detail::TextSource source =
      detail::TextSource::open(path, run.memory_limit, run.thread_count());
  return source.read_whole([&]() -> GraphOrRecord {
    if (detail::is_record(source.head())) return detail::parse_record(source, "");
    return detail::parse_graph(source, options, run);
  });
}

}  // namespace gssl
