#include "batch/out_of_bag.hpp"

#include <algorithm>

#include "gssl/core/number_text.hpp"

namespace gssl::detail {

void OutOfBag::certify(Report& report,
                       std::vector<std::pair<std::string, std::string>>& facts) const {
  const bool regression = data_.targets.is_regression();
  double loss = 0.0;
  double all = 0.0;
  for (std::int64_t r = 0; r < sums_.rows(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    const double w = data_.weight(r);
    if (members_[i] == 0 || w == 0.0) continue;
    const auto sum = sums_.row(r);
    all += w;
    if (regression) {
      const double off = sum[0] / members_[i] - data_.targets.values()[i];
      loss += w * off * off;
    } else if (std::ranges::max_element(sum) - sum.begin() != data_.targets.class_of()[i]) {
      loss += w;
    }
  }
  if (all == 0.0) return;
  report.certificates.push_back(
      {regression ? "out_of_bag_mean_square" : "out_of_bag_error", {loss / all}});
  facts.emplace_back(regression ? "out-of-bag mean square" : "out-of-bag error",
                     to_text(loss / all));
}

}  // namespace gssl::detail
