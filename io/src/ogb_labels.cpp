// Labels of a folder of the Open Graph Benchmark, and its splits.
#include <algorithm>
#include <filesystem>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "ogb.hpp"

namespace gssl::detail {
namespace {

namespace fs = std::filesystem;

// Calls line(text, number) for every line, which is one field.
template <class Line>
void walk_column(const TextSource& source, const char* expected, Line&& line) {
  std::string_view rest = source.text();
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::string_view text = trimmed(take_line(rest));
    if (text.find(',') != std::string_view::npos)
      bad_line(source.name(), number,
               "several columns in '" + shown(text) + "'; expected " + expected);
    line(text, number);
  }
}

std::vector<std::string> splits_of(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "split", ignored))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

// The list of vertices of a part: split/NAME/train.csv.gz.
std::string list_file(const std::string& folder, const std::string& split, LabelPart part) {
  const std::vector<std::string> names = splits_of(folder);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  if (split.empty() && names.size() > 1)
    throw Error(ErrorCode::usage, folder + ": has the splits " + all + "; say which, as " + folder +
                                      ":" + names.front());
  const std::string chosen = split.empty() && !names.empty() ? names.front() : split;
  if (std::ranges::find(names, chosen) == names.end())
    throw Error(ErrorCode::cannot_open,
                folder + ": no split '" + shown(chosen) + "'; " +
                    (names.empty() ? "it has no folder split/NAME" : "it has " + all));
  const std::string stem = part == LabelPart::train ? "train" : "test";
  const fs::path place = fs::path(folder) / "split" / chosen;
  for (const char* ending : {".csv.gz", ".csv"}) {
    std::error_code ignored;
    if (fs::is_regular_file(place / (stem + ending), ignored))
      return (place / (stem + ending)).string();
  }
  throw Error(ErrorCode::cannot_open,
              place.string() + ": no " + stem + ".csv.gz; write it from " + stem +
                  ".pt with python3 -c \"import torch, numpy; numpy.savetxt('" + stem +
                  ".csv', torch.load('" + stem + ".pt'), '%d')\"");
}

}  // namespace

std::vector<OgbLabel> read_ogb_labels(const TextSource& labels, const std::string& folder,
                                      const std::string& split, LabelPart part) {
  std::vector<OgbLabel> all;
  walk_column(labels, "one label a vertex", [&](std::string_view text, std::int64_t number) {
    all.push_back({static_cast<VertexId>(number - 1), std::string(text)});
  });
  if (part == LabelPart::all) return all;
  const TextSource list = TextSource::open(list_file(folder, split, part));
  return list.read_whole([&] {
    std::vector<OgbLabel> chosen;
    walk_column(list, "a vertex", [&](std::string_view text, std::int64_t number) {
      const auto v = parse_number<std::int64_t>(text);
      if (!v || *v < 0 || *v >= std::ssize(all))
        bad_line(list.name(), number,
                 "'" + shown(text) + "'; expected a vertex from 0 to " +
                     std::to_string(std::ssize(all) - 1));
      chosen.push_back(all[static_cast<std::size_t>(*v)]);
    });
    return chosen;
  });
}

}  // namespace gssl::detail
