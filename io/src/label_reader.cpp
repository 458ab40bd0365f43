#include "gssl/io/label_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "array_file.hpp"
#include "fields.hpp"
#include "foreign_files.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "label_format.hpp"
#include "label_taker.hpp"
#include "list_lines.hpp"
#include "number_array.hpp"
#include "ogb.hpp"
#include "unknown_ids.hpp"
#include "written_labels.hpp"

namespace gssl {
namespace {

using namespace detail;

[[noreturn]] void refuse_count(const TextSource& source, std::size_t count, std::string_view line,
                               std::int64_t number, const std::string& expected,
                               Remedies remedies = {}) {
  bad_line(
      source.name(), number,
      std::to_string(count) + (count == 1 ? " field" : " fields") + " in '" + shown(line) +
          "'; expected " + expected +
          (remedies.has(Remedy::label_columns)
               ? "; tell which two columns are meant, or quote a field that holds the separator"
               : "; quote a field that holds the separator"),
      remedies);
}

// Calls pair(first, second, line, is_first) for every data line "first second"; `expected` says in
// messages what they are. Where `empty` is allowed, that is said of the second alone, which ends
// with the line after a tab. Returns the number of lines.
template <class Pair>
std::int64_t walk_pairs(const TextSource& source, const char* expected, FieldSplitter::Empty empty,
                        Pair&& pair, CommentedData* commented = nullptr) {
  const auto take = [&](const FieldSplitter& fields, std::size_t count, std::string_view line,
                        std::int64_t number, bool first) {
    const bool no_second = empty == FieldSplitter::Empty::allowed && count == 1 &&
                           fields.separator() == Separator::tab;
    if (count != 2 && !no_second)
      refuse_count(
          source, count, line, number, expected,
          count > 2 && empty == FieldSplitter::Empty::allowed ? Remedy::label_columns : Remedies());
    if (fields[0].empty() && line.front() != '"')
      bad_line(
          source.name(), number,
          "field 1 is empty; expected " + std::string(expected) + "; write \"\" for an empty id");
    pair(fields[0], no_second ? std::string_view() : fields[1], number, first);
  };
  return walk_list_lines(source, expected, take, {}, empty, 0, commented);
}

// Calls pair(vertex, label, line, is_first) for the two fields of every data line that are meant.
template <class Pair>
std::int64_t walk_columns(const TextSource& source, std::pair<int, int> columns, Pair&& pair,
                          CommentedData* commented) {
  const auto vertex = static_cast<std::size_t>(columns.first);
  const auto label = static_cast<std::size_t>(columns.second);
  std::size_t width = 0;
  const auto take = [&](const FieldSplitter& fields, std::size_t count, std::string_view line,
                        std::int64_t number, bool first) {
    if (first) width = count;
    if (count != width || count < std::max(vertex, label))
      refuse_count(source, count, line, number,
                   first ? "at least " + std::to_string(std::max(vertex, label)) +
                               ", for the columns that are told"
                         : "as many as in the lines before");
    pair(fields[vertex - 1], fields[label - 1], number, first);
  };
  return walk_list_lines(source, "'node label'", take, {}, FieldSplitter::Empty::allowed,
                         std::max(vertex, label), commented);
}

// The first `columns` fields of each line, of a table that may have more if its first line names
// them: take(first, second, line, is_first) says whether the line does.
template <class Take>
std::int64_t walk_first_columns(const TextSource& source, const char* expected, std::size_t columns,
                                Take&& take) {
  std::size_t width = columns;
  return walk_list_lines(source, expected,
                         [&](const FieldSplitter& fields, std::size_t count, std::string_view line,
                             std::int64_t number, bool first) {
                           const bool table = first && count > columns;
                           if (count != width && !table)
                             refuse_count(source, count, line, number, expected);
                           if (take(fields[0], fields[1], number, first) && table) {
                             width = count;
                           } else if (table) {
                             refuse_count(source, count, line, number, expected);
                           }
                         });
}

// Leaves out what says that there is no label.
void drop_missing(const MissingMarks& marks, LabelFile& file) {
  file.missing = blank_missing(file.labels, marks);
  if (file.missing.total == 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    if (file.labels[i].empty()) continue;
    file.vertices[kept] = file.vertices[i];
    file.line_of[kept] = file.line_of[i];
    if (kept != i) file.labels[kept] = std::move(file.labels[i]);
    ++kept;
  }
  file.vertices.resize(kept);
  file.line_of.resize(kept);
  file.labels.resize(kept);
}

// Whether the vertices are named 1 … count.
bool are_numbered_from_one(const VertexNames& names, std::size_t count) {
  if (static_cast<std::size_t>(names.size()) != count) return false;
  if (names.find(std::uint64_t{0}) != no_vertex) return false;
  for (std::uint64_t id = 1; id <= count; ++id) {
    if (names.find(id) == no_vertex) return false;
  }
  return true;
}

// Value i to its vertex, as the header says.
void take_array(std::vector<std::string> values, VertexNames& names,
                const LabelReadOptions& options, LabelFile& file, LabelTaker& taker) {
  const std::string& path = file.stats.path;
  const bool in_order = options.point_rows >= 0;
  if (in_order && values.size() != static_cast<std::size_t>(options.point_rows)) {
    bad_array(path, std::to_string(values.size()) + " labels; expected one for each of the " +
                        std::to_string(options.point_rows) + " points");
  }
  file.missing = blank_missing(values, options.missing);
  file.numbered_from_one = !in_order && are_numbered_from_one(names, values.size());
  const std::size_t first = file.numbered_from_one ? 1 : 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    const std::string node = std::to_string(i + first);
    if (in_order) {
      taker.give(static_cast<VertexId>(i), node, values[i], 0);
    } else {
      taker.take(node, values[i], 0, false);
    }
  }
}

void refuse_columns(const std::string& file, const LabelReadOptions& options) {
  if (options.columns)
    throw Error(ErrorCode::usage,
                file + ": says itself where its labels are: columns are told of lines of text",
                Remedy::label_columns);
}

LabelFile read_folder(const std::string& folder, const std::string& split, VertexNames& names,
                      const LabelReadOptions& options) {
  refuse_columns(folder, options);
  const TextSource source =
      TextSource::open(needed_ogb_file(folder, "node-label"), options.memory_limit);
  return source.read_whole([&] {
    LabelFile file;
    start_stats(source, "ogb", file.stats);
    LabelTaker taker(source, names, options, file);
    for (const OgbLabel& one : read_ogb_labels(source, folder, split, options.part))
      taker.take(std::to_string(one.vertex), one.label, one.vertex + 1, false);
    taker.finish();
    drop_missing(options.missing, file);
    return file;
  });
}

}  // namespace

UnknownLabels parse_unknown_labels(const std::string& name) {
  return names_of<UnknownLabels>.value(name);
}

LabelFile read_labels(const std::string& path, VertexNames& names,
                      const LabelReadOptions& options) {
  const ArrayPath from(path);
  if (is_folder(from.file)) return read_folder(from.file, from.member, names, options);
  const TextSource source = TextSource::open(from.file, options.memory_limit, options.threads);
  return source.read_whole([&] { return parse_labels(source, from.member, names, options); });
}

LabelFile detail::parse_labels(const TextSource& source, const std::string& member,
                               VertexNames& names, const LabelReadOptions& options) {
  LabelFile file;
  start_stats(source, "labels", file.stats);
  LabelTaker taker(source, names, options, file);
  if (auto values = read_array(source, member, 1, file.stats)) {
    refuse_columns(source.name(), options);
    take_array(std::move(*values), names, options, file, taker);
    taker.finish();
    return file;
  }
  const WrittenForm form = sniff_written_labels(source.head());
  if (form == WrittenForm::none) {
    refuse_foreign(source.head(), source.name(), Wanted::labels);
    CommentedData commented;
    const auto take = [&](std::string_view node, std::string_view label, std::int64_t line,
                          bool first) { taker.take(node, label, line, first); };
    file.stats.lines =
        options.columns
            ? walk_columns(source, *options.columns, take, &commented)
            : walk_pairs(source, "'node label'", FieldSplitter::Empty::allowed, take, &commented);
    commented.tell(file.stats.notes);
  } else {
    refuse_columns(source.name(), options);
    file.stats.format = "gssl-label";
    const auto take = [&](std::string_view node, std::string_view label, std::int64_t line,
                          bool decided) {
      if (decided) return taker.take(node, label, line, false);
      ++file.undecided;
    };
    file.stats.lines = walk_written_labels(source, form, take);
  }
  taker.finish();
  drop_missing(options.missing, file);
  return file;
}

PairFile read_pairs(const std::string& path, const VertexNames& names, std::size_t most_held) {
  const ArrayPath from(path);
  const TextSource source = TextSource::open(from.file, most_held);
  return source.read_whole([&] { return parse_pairs(source, names, from.member); });
}

PairFile detail::parse_pairs(const TextSource& source, const VertexNames& names,
                             const std::string& member) {
  PairFile file;
  UnknownIds unknown_ids;
  std::int64_t read = 0;
  start_stats(source, "pairs", file.stats);
  const auto take = [&](std::string_view first, std::string_view second, std::int64_t line,
                        bool is_first) {
    const VertexPair pair{names.find(first), names.find(second)};
    const bool unknown = pair.u == no_vertex && pair.v == no_vertex;
    if (unknown && is_first && is_header_word(first) && is_header_word(second)) return true;
    if (pair.u == no_vertex) unknown_ids.add(first, line);
    if (pair.v == no_vertex) unknown_ids.add(second, line);
    ++read;
    if (pair.u != no_vertex && pair.v != no_vertex) file.pairs.push_back(pair);
    return false;
  };
  if (const auto ends = read_array(source, member, 2, file.stats)) {
    for (std::size_t i = 0; i + 1 < ends->size(); i += 2)
      take((*ends)[i], (*ends)[i + 1], 0, false);
  } else {
    file.stats.lines = walk_first_columns(source, "'u v'", 2, take);
  }
  unknown_ids.check(source.name(), 2 * read, "ends of pairs", " or remove the line");
  return file;
}

LabeledSet to_labeled_set(const LabelFile& file, bool regression, const VertexNames* names) {
  if (!regression) return LabeledSet::classes(file.vertices, file.labels);
  std::vector<double> targets;
  targets.reserve(file.labels.size());
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    const std::optional<double> value = parse_number<double>(file.labels[i]);
    if (value && std::isfinite(*value)) {
      targets.push_back(*value);
      continue;
    }
    std::string place = file.stats.path;
    if (file.line_of[i] > 0) place += ":" + std::to_string(file.line_of[i]);
    if (names != nullptr) place += ": vertex " + shown(names->name(file.vertices[i]));
    throw Error(ErrorCode::bad_data,
                place + ": target " + shown(file.labels[i]) +
                    "; expected a finite number; fix it, or label classes instead of regression",
                Remedy::regression);
  }
  return LabeledSet::targets(file.vertices, std::move(targets));
}

std::vector<double> read_class_priors(const std::string& path,
                                      const std::vector<std::string>& class_names) {
  const ArrayPath from(path);
  const TextSource source = TextSource::open(from.file);
  return source.read_whole([&] { return parse_class_priors(source, class_names, from.member); });
}

std::vector<double> detail::parse_class_priors(const TextSource& source,
                                               const std::vector<std::string>& class_names,
                                               const std::string& member) {
  std::vector<double> priors(class_names.size(), 0.0);
  const std::string& name = source.name();
  const auto take = [&](std::string_view label, std::string_view text, std::int64_t line,
                        bool first) {
    const auto found = std::find(class_names.begin(), class_names.end(), label);
    if (found == class_names.end()) {
      if (first && !parse_number<double>(text)) return;
      bad_line(name, line, "class " + shown(label) + " is not among the labels; remove it");
    }
    double& prior = priors[static_cast<std::size_t>(found - class_names.begin())];
    if (prior > 0) bad_line(name, line, "class " + shown(label) + " given again; keep one");
    const std::optional<double> weight = parse_number<double>(text);
    if (!weight || !std::isfinite(*weight) || *weight <= 0) {
      bad_line(
          name, line,
          "share " + shown(text) + " of class " + shown(label) + "; expected a finite number > 0");
    }
    prior = *weight;
  };
  InputStats stats;
  std::int64_t lines = 0;
  if (const auto shares = read_array(source, member, 1, stats)) {
    if (shares->size() != class_names.size())
      bad_array(name, std::to_string(shares->size()) + " shares; expected one for each of the " +
                          std::to_string(class_names.size()) + " classes, in order of their names");
    for (std::size_t k = 0; k < shares->size(); ++k) take(class_names[k], (*shares)[k], 0, false);
  } else {
    lines = walk_pairs(source, "'class weight'", FieldSplitter::Empty::refused, take);
  }
  // By the largest first, so that no sum exceeds the largest number.
  const double largest = priors.empty() ? 1.0 : *std::ranges::max_element(priors);
  double total = 0.0;
  for (std::size_t k = 0; k < priors.size(); ++k) {
    if (priors[k] == 0) {
      bad_line(name, std::max<std::int64_t>(lines, 1),
               "no line for class " + shown(class_names[k]) + "; give every class its share");
    }
    priors[k] /= largest;
    total += priors[k];
  }
  for (double& prior : priors) prior /= total;
  return priors;
}

}  // namespace gssl
