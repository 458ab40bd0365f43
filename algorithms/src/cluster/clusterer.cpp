#include "gssl/cluster/clusterer.hpp"

#include <algorithm>

#include "gssl/cluster/kernel_k_means.hpp"
#include "gssl/cluster/spectral.hpp"
#include "gssl/core/error.hpp"

namespace gssl {

const std::vector<ClustererEntry>& clusterer_entries() {
  static const std::vector<ClustererEntry> entries = [] {
    std::vector<ClustererEntry> list;
    list.push_back(spectral_entry());
    list.push_back(kernel_k_means_entry());
    return list;
  }();
  return entries;
}

MadeClusterer make_clusterer(std::string_view spec) {
  const auto colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  std::string all;
  for (const ClustererEntry& entry : clusterer_entries()) {
    all += (all.empty() ? "" : ", ") + entry.name;
    if (entry.name != name) continue;
    const OptionValues values = entry.options.parse(
        colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1), entry.name);
    const std::string echo = values.echo();
    return {echo.empty() ? entry.name : entry.name + ":" + echo, entry.make(values)};
  }
  throw Error(ErrorCode::usage, "no clusterer '" + std::string(name) + "': there are " + all);
}

int number_by_first_vertex(std::vector<int>& cluster_of) {
  if (cluster_of.empty()) return 0;
  std::vector<int> number(
      static_cast<std::size_t>(*std::max_element(cluster_of.begin(), cluster_of.end())) + 1, -1);
  int count = 0;
  for (int& cluster : cluster_of) {
    int& now = number[static_cast<std::size_t>(cluster)];
    if (now < 0) now = count++;
    cluster = now;
  }
  return count;
}

}  // namespace gssl
