#include "gssl/io/score_reader.hpp"

#include <cmath>
#include <optional>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/number_text.hpp"
#include "text_source.hpp"

namespace gssl {
namespace {

using namespace detail;

class ScoreTable {
 public:
  ScoreTable(const TextSource& source, const VertexNames& names, std::size_t most_held)
      : source_(source),
        names_(names),
        most_held_(most_held),
        seen_(static_cast<std::size_t>(names.size()), false) {
    start_stats(source, "scores", file_.stats);
  }

  ScoreFile read() {
    std::string_view text = source_.text();
    while (!text.empty()) {
      const std::string_view line = trimmed(take_line(text));
      ++file_.stats.lines;
      if (is_skipped(line)) continue;
      if (fields_)
        take_row(line);
      else
        take_header(line);
    }
    if (!fields_) bad_line(source_.name(), 1, "nothing in it; expected a header 'node CLASS …'");
    if (file_.unknown > file_.rows)
      throw Error(ErrorCode::bad_data,
                  source_.name() + ": " + std::to_string(file_.unknown) + " of " +
                      std::to_string(file_.unknown + file_.rows) +
                      " vertices are not in the graph: it is of another graph; take the scores of "
                      "this one");
    return std::move(file_);
  }

 private:
  void take_header(std::string_view line) {
    const std::int64_t number = file_.stats.lines;
    if (is_binary(line))
      bad_line(source_.name(), number, "binary data; expected scores of vertices", Remedy::scores);
    if (line.front() == '{')
      bad_line(source_.name(), number,
               "JSON lines; expected a table with a header 'node CLASS …': write the scores as tsv "
               "or csv, or give a checkpoint",
               Remedy::scores);
    fields_.emplace(sniff_separator(line), FieldSplitter::Empty::allowed);
    const std::size_t count = fields_->split(line, source_.name(), number);
    if (count < 2 || (*fields_)[0] != "node")
      bad_line(source_.name(), number,
               "'" + shown(line) + "'; expected a header 'node CLASS …' of scores of vertices",
               Remedy::scores);
    for (std::size_t i = 1; i < count; ++i) file_.columns.emplace_back((*fields_)[i]);
    const double bytes = static_cast<double>(sizeof(double)) * names_.size() *
                         static_cast<double>(file_.columns.size());
    if (most_held_ > 0 && bytes > static_cast<double>(most_held_))
      throw MemoryError("reading " + source_.name(), static_cast<std::size_t>(bytes), most_held_);
    file_.scores = Block(names_.size(), std::ssize(file_.columns));
  }

  void take_row(std::string_view line) {
    const std::int64_t number = file_.stats.lines;
    const std::size_t count = fields_->split(line, source_.name(), number);
    if (count != file_.columns.size() + 1)
      bad_line(source_.name(), number,
               std::to_string(count) + " fields; expected " +
                   std::to_string(file_.columns.size() + 1) + " as in the header");
    const VertexId v = names_.find((*fields_)[0]);
    if (v == no_vertex) {
      ++file_.unknown;
      return;
    }
    if (seen_[static_cast<std::size_t>(v)])
      bad_line(source_.name(), number,
               "'" + shown((*fields_)[0]) + "' has a row before; expected one for each vertex");
    seen_[static_cast<std::size_t>(v)] = true;
    ++file_.rows;
    const std::span<double> row = file_.scores.row(v);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto value = parse_number<double>((*fields_)[k + 1]);
      if (!value || !std::isfinite(*value))
        bad_line(source_.name(), number,
                 "'" + shown((*fields_)[k + 1]) + "'; expected a finite number");
      row[k] = *value;
    }
  }

  const TextSource& source_;
  const VertexNames& names_;
  const std::size_t most_held_;
  std::optional<FieldSplitter> fields_;
  std::vector<bool> seen_;
  ScoreFile file_;
};

}  // namespace

ScoreFile read_scores(const std::string& path, const VertexNames& names, std::size_t most_held) {
  const TextSource source = TextSource::open(path, most_held);
  return source.read_whole([&] { return ScoreTable(source, names, most_held).read(); });
}

}  // namespace gssl
