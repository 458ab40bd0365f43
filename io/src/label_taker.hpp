#pragma once
// Labels on their way to vertices: repeated, contradicting, of unknown vertices, of a header.
//
//   LabelTaker taker(source, names, options, file);
//   taker.take("17", "spam", line, is_first);   // into `file`
//   taker.finish();

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fields.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/io/label_reader.hpp"
#include "text_source.hpp"
#include "unknown_ids.hpp"

namespace gssl::detail {

// What a header calls the vertex, in any case of letters.
inline constexpr std::array<const char*, 4> node_words = {"node", "vertex", "id", "name"};

inline bool is_node_word(std::string_view text) {
  return std::ranges::any_of(node_words,
                             [&](const char* word) { return equal_ignoring_case(text, word); });
}

inline std::string label_header_note(std::int64_t line, std::string_view node) {
  return "line " + std::to_string(line) + " is taken for a header, since '" + shown(node) +
         "' is no vertex and stands over one that is a number";
}

// Puts labels on vertices one after the other, and keeps count of those that find none.
class LabelTaker {
 public:
  // `source` is what the lines are of.
  LabelTaker(const TextSource& source, VertexNames& names, const LabelReadOptions& options,
             LabelFile& file)
      : source_(source), names_(names), options_(options), file_(file) {}

  // `first`: the line may be a header. Line 0: an array has none.
  void take(std::string_view node, std::string_view label, std::int64_t line, bool first) {
    const VertexId v = names_.find(node);
    settle_first_line(v != no_vertex && is_number(node));
    if (v != no_vertex) return give(v, node, label, line);
    if (first && is_node_word(node)) return;
    if (first && line > 0 && !is_number(node)) {
      first_line_ = {std::string(node), std::string(label), line};
      return;
    }
    take_unknown(node, label, line);
  }

  // The same for a vertex that is known.
  void give(VertexId v, std::string_view node, std::string_view label, std::int64_t line) {
    constexpr std::int32_t none = -1;
    ++taken_;
    const auto index = static_cast<std::size_t>(v);
    if (index >= entry_of_.size()) {
      entry_of_.resize(std::max(index + 1, static_cast<std::size_t>(names_.size())), none);
    }
    std::int32_t& entry = entry_of_[index];
    if (entry == none) {
      entry = static_cast<std::int32_t>(file_.vertices.size());
      file_.vertices.push_back(v);
      file_.labels.emplace_back(label);
      file_.line_of.push_back(line);
      held_ += bytes_of_label + (label.size() > 15 ? static_cast<double>(label.size()) : 0.0);
      if (file_.vertices.size() % 4096 == 0) check_room(label);
      return;
    }
    if (label.empty()) return;  // says nothing
    const auto earlier = static_cast<std::size_t>(entry);
    if (file_.labels[earlier].empty()) {
      file_.labels[earlier] = label;
      file_.line_of[earlier] = line;
      return;
    }
    if (file_.labels[earlier] != label) {
      bad_line(file_.stats.path, line,
               "vertex " + shown(node) + " labelled " + shown(label) + "; line " +
                   std::to_string(file_.line_of[earlier]) + " says " +
                   shown(file_.labels[earlier]) + "; keep one");
    }
    ++file_.duplicates_merged;
  }

  void finish() {
    settle_first_line(false);
    file_.unknown = unknown_.first();
    if (options_.unknown != UnknownLabels::error) return;
    const bool first_alone = first_was_unknown_ && unknown_.count() == 1;
    unknown_.check(
        file_.stats.path, taken_, "labels",
        std::string(options_.remedy) +
            (first_alone ? "; or call the column of vertices node, if the line is a header" : ""));
  }

 private:
  // With what a list that grows has beside it; in the list of entries, too.
  static constexpr double bytes_of_label =
      1.5 * (sizeof(VertexId) + sizeof(std::string) + sizeof(std::int64_t) + sizeof(std::int32_t));
  static constexpr double bytes_of_name = 32.0;

  struct FirstLine {
    std::string node, label;
    std::int64_t line = 0;
  };

  // Of a vertex that is not in the graph.
  void take_unknown(std::string_view node, std::string_view label, std::int64_t line) {
    unknown_.add(node, line);
    if (options_.unknown == UnknownLabels::add) {
      ++file_.unknown_added;
      held_ += bytes_of_name + static_cast<double>(node.size());
      return give(names_.insert(node), node, label, line);
    }
    if (options_.unknown == UnknownLabels::ignore) ++file_.unknown_ignored;
    ++taken_;
  }

  static bool is_number(std::string_view node) {
    std::uint64_t ignored = 0;
    return parse_canonical_integer(node, ignored);
  }

  // A first line whose vertex is a word and not in the graph is a header if the next one has a
  // number that is.
  void settle_first_line(bool over_number) {
    if (!first_line_) return;
    const FirstLine first = *std::exchange(first_line_, std::nullopt);
    if (!over_number) {
      file_.first_may_be_header = options_.unknown == UnknownLabels::add;
      first_was_unknown_ = true;
      return take_unknown(first.node, first.label, first.line);
    }
    file_.stats.notes.push_back(label_header_note(first.line, first.node));
  }

  // `label` is of the last line that was read.
  void check_room(std::string_view label) const {
    if (options_.memory_limit == 0 || held_ <= static_cast<double>(options_.memory_limit)) return;
    const std::string_view all = source_.is_unpacking() ? std::string_view() : source_.text();
    const auto read = static_cast<double>(label.data() - all.data());
    const bool inside = read > 0.0 && read < static_cast<double>(all.size());
    const double share = inside ? read / static_cast<double>(all.size()) : 1.0;
    throw MemoryError("reading " + source_.name(), static_cast<std::size_t>(held_ / share),
                      options_.memory_limit);
  }

  const TextSource& source_;
  VertexNames& names_;
  const LabelReadOptions& options_;
  LabelFile& file_;
  std::vector<std::int32_t> entry_of_;  // of each vertex; grown as far as needed
  UnknownIds unknown_;
  std::optional<FirstLine> first_line_;  // while it may be a header
  bool first_was_unknown_ = false;       // and was taken for none
  std::int64_t taken_ = 0;
  double held_ = 0.0;  // bytes
};

}  // namespace gssl::detail
