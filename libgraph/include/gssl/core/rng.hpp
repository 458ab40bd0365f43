#pragma once
// Our own random numbers, so that one seed gives one answer with every compiler and thread count.
//
// Generator: xoshiro256** (Blackman and Vigna 2021, doi:10.1145/3460772), state filled by
// splitmix64 from (seed, stream). Streams are chosen by index of the work item, never by thread
// number.
//
//   gssl::Rng rng(seed, item);
//   double x = rng.uniform();

#include <array>
#include <cstdint>

namespace gssl {

class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  // 64 random bits; makes Rng usable wherever a UniformRandomBitGenerator is.
  result_type operator()();
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  double uniform();                          // in [0, 1), 53 bits
  std::uint64_t below(std::uint64_t bound);  // in [0, bound), unbiased; bound > 0
  double normal();                           // mean 0, variance 1 (polar method)

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

// Fisher–Yates; the same order for the same generator state everywhere.
template <class RandomAccessRange>
void shuffle(RandomAccessRange& items, Rng& rng) {
  using std::swap;
  for (std::size_t i = items.size(); i > 1; --i) swap(items[i - 1], items[rng.below(i)]);
}

}  // namespace gssl
