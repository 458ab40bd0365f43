#include "gssl/learn/clusterer.hpp"

#include <algorithm>

namespace gssl {

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
