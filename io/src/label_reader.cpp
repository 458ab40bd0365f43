#include "gssl/io/label_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "label_format.hpp"

namespace gssl {
namespace {

using namespace detail;

// Calls pair(first, second, line, is_first) for every data line "first second"; `expected` says in
// messages what they are. Returns the number of lines.
template <class Pair>
std::int64_t walk_pairs(const TextSource& source, const char* expected, Pair&& pair) {
  std::string_view text = source.text();
  std::optional<FieldSplitter> fields;
  std::int64_t number = 0;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    ++number;
    if (is_skipped(line)) continue;
    if (line.find('\0') != std::string_view::npos) {
      bad_line(source.name(), number,
               std::string("binary data (a zero byte); expected lines ") + expected);
    }
    const bool first = !fields;
    if (first) fields.emplace(sniff_separator(line));
    const std::size_t count = fields->split(line, source.name(), number);
    if (count != 2) {
      bad_line(source.name(), number,
               std::to_string(count) + (count == 1 ? " field" : " fields") + " in '" + shown(line) +
                   "'; expected " + expected + "; quote a field that holds the separator");
    }
    pair((*fields)[0], (*fields)[1], number, first);
  }
  return number;
}

bool is_node_word(std::string_view text) {
  static constexpr std::array words = {"node", "vertex", "id", "name"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return equal_ignoring_case(text, word); });
}

}  // namespace

UnknownLabels parse_unknown_labels(const std::string& name) {
  if (name == "error") return UnknownLabels::error;
  if (name == "ignore") return UnknownLabels::ignore;
  if (name == "add") return UnknownLabels::add;
  throw Error(ErrorCode::usage, "unknown-label policy '" + name + "'; expected error|ignore|add");
}

LabelFile read_labels(const std::string& path, VertexNames& names, UnknownLabels unknown,
                      const char* remedy) {
  return parse_labels(TextSource::open(path), names, unknown, remedy);
}

LabelFile detail::parse_labels(const TextSource& source, VertexNames& names, UnknownLabels unknown,
                               const char* remedy) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  LabelFile file;
  start_stats(source, "labels", file.stats);
  std::vector<std::size_t> entry_of;  // of each vertex; grown as far as needed
  file.stats.lines = walk_pairs(
      source, "'node label'",
      [&](std::string_view node, std::string_view label, std::int64_t line, bool first) {
        VertexId v = names.find(node);
        if (v == no_vertex) {
          if (first && is_node_word(node)) return;
          if (unknown == UnknownLabels::error) {
            bad_line(source.name(), line,
                     "vertex " + shown(node) + " is not in the graph; fix the id" + remedy);
          }
          if (unknown == UnknownLabels::ignore) {
            ++file.unknown_ignored;
            return;
          }
          v = names.insert(node);
          ++file.unknown_added;
        }
        const auto index = static_cast<std::size_t>(v);
        if (index >= entry_of.size()) {
          entry_of.resize(std::max(index + 1, static_cast<std::size_t>(names.size())), none);
        }
        if (entry_of[index] == none) {
          entry_of[index] = file.vertices.size();
          file.vertices.push_back(v);
          file.labels.emplace_back(label);
          file.line_of.push_back(line);
          return;
        }
        const std::size_t earlier = entry_of[index];
        if (file.labels[earlier] != label) {
          bad_line(source.name(), line,
                   "vertex " + shown(node) + " labelled " + shown(label) + "; line " +
                       std::to_string(file.line_of[earlier]) + " says " +
                       shown(file.labels[earlier]) + "; keep one");
        }
        ++file.duplicates_merged;
      });
  return file;
}

PairFile read_pairs(const std::string& path, const VertexNames& names) {
  const TextSource source = TextSource::open(path);
  PairFile file;
  start_stats(source, "pairs", file.stats);
  file.stats.lines = walk_pairs(
      source, "'u v'",
      [&](std::string_view first, std::string_view second, std::int64_t line, bool is_first) {
        const VertexPair pair{names.find(first), names.find(second)};
        const bool unknown = pair.u == no_vertex && pair.v == no_vertex;
        if (unknown && is_first && is_header_word(first) && is_header_word(second)) return;
        if (pair.u == no_vertex || pair.v == no_vertex) {
          bad_line(source.name(), line,
                   "vertex " + shown(pair.u == no_vertex ? first : second) +
                       " is not in the graph; fix the id or remove the line");
        }
        file.pairs.push_back(pair);
      });
  return file;
}

LabeledSet to_labeled_set(const LabelFile& file, bool regression) {
  if (!regression) return LabeledSet::classes(file.vertices, file.labels);
  std::vector<double> targets;
  targets.reserve(file.labels.size());
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    const std::optional<double> value = parse_number<double>(file.labels[i]);
    if (!value || !std::isfinite(*value)) {
      bad_line(file.stats.path, file.line_of[i],
               "target " + shown(file.labels[i]) +
                   "; expected a finite number; fix it, or label "
                   "classes instead of --regression");
    }
    targets.push_back(*value);
  }
  return LabeledSet::targets(file.vertices, std::move(targets));
}

std::vector<double> read_class_priors(const std::string& path,
                                      const std::vector<std::string>& class_names) {
  return parse_class_priors(TextSource::open(path), class_names);
}

std::vector<double> detail::parse_class_priors(const TextSource& source,
                                               const std::vector<std::string>& class_names) {
  std::vector<double> priors(class_names.size(), 0.0);
  const std::string& name = source.name();
  const std::int64_t lines = walk_pairs(
      source, "'class weight'",
      [&](std::string_view label, std::string_view text, std::int64_t line, bool first) {
        const auto found = std::find(class_names.begin(), class_names.end(), label);
        if (found == class_names.end()) {
          if (first && !parse_number<double>(text)) return;
          bad_line(name, line, "class " + shown(label) + " is not among the labels; remove it");
        }
        double& prior = priors[static_cast<std::size_t>(found - class_names.begin())];
        if (prior > 0) bad_line(name, line, "class " + shown(label) + " given again; keep one");
        const std::optional<double> weight = parse_number<double>(text);
        if (!weight || !std::isfinite(*weight) || *weight <= 0) {
          bad_line(name, line,
                   "share " + shown(text) + " of class " + shown(label) +
                       "; expected a finite number > 0");
        }
        prior = *weight;
      });
  double total = 0.0;
  for (std::size_t k = 0; k < priors.size(); ++k) {
    if (priors[k] == 0) {
      bad_line(name, std::max<std::int64_t>(lines, 1),
               "no line for class " + shown(class_names[k]) + "; give every class its share");
    }
    total += priors[k];
  }
  for (double& prior : priors) prior /= total;
  return priors;
}

}  // namespace gssl
