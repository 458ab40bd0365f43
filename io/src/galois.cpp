// Binary graphs of Galois (Pingali et al., The tao of parallelism in algorithms, 2011,
// doi:10.1145/1993316.1993501), versions 1 and 2: rows of arcs, vertices numbered from 0. The file
// does not say whether edge data are integers or floating-point numbers.
#include <cmath>

#include "edge_collector.hpp"
#include "galois_head.hpp"
#include "gssl/core/error.hpp"
#include "number_array.hpp"

namespace gssl::detail {
namespace {

// Integers are far below 2^24 or 2^52, and floating-point numbers of usual size far above when
// their bits are read as integers.
template <class Integer, class Real>
bool data_are_real(std::string_view bytes, const GaloisHead& head) {
  constexpr Integer least = Integer{1} << (sizeof(Integer) == 4 ? 24 : 52);
  bool any = false;
  for (std::uint64_t e = 0; e < head.edges; ++e) {
    const std::uint64_t at = head.data_at + e * sizeof(Integer);
    const auto integer = number_at<Integer>(bytes, at);
    if (integer == 0) continue;
    const auto real = number_at<Real>(bytes, at);
    if (integer < least || !std::isfinite(real)) return false;
    any = true;
  }
  return any;
}

class GaloisWeights {
 public:
  GaloisWeights(std::string_view bytes, const GaloisHead& head) : bytes_(bytes), head_(head) {
    if (head.data_bytes == 4) real_ = data_are_real<std::uint32_t, float>(bytes, head);
    if (head.data_bytes == 8) real_ = data_are_real<std::uint64_t, double>(bytes, head);
  }

  double operator[](std::uint64_t edge) const {
    const std::uint64_t at = head_.data_at + edge * head_.data_bytes;
    if (head_.data_bytes == 0) return 1.0;
    if (head_.data_bytes == 4 && real_) return number_at<float>(bytes_, at);
    if (head_.data_bytes == 4) return number_at<std::uint32_t>(bytes_, at);
    if (real_) return number_at<double>(bytes_, at);
    return static_cast<double>(number_at<std::uint64_t>(bytes_, at));
  }

  std::string note() const {
    return "its edge data of " + std::to_string(head_.data_bytes) + " bytes are taken as " +
           (real_ ? "floating-point numbers" : "integers") + ", which the file does not say";
  }

 private:
  std::string_view bytes_;
  const GaloisHead& head_;
  bool real_ = false;
};

}  // namespace

void read_galois(const TextSource& source, const ReadOptions& options, const RunContext& run,
                 GraphFile& file) {
  const std::string_view bytes = source.text();
  const auto head = galois_head(bytes);
  if (!head)
    bad_array(source.name(),
              "no binary graph of Galois: expected version 1 or 2 and sizes that fit the file; it "
              "is cut short or another format");
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<VertexId>::max());
  if (head->vertices > most)
    bad_array(source.name(), std::to_string(head->vertices) + " vertices; at most 2^31 - 1");
  const auto place = [&](std::uint64_t at) { return " (byte " + std::to_string(at) + ")"; };
  const GaloisWeights weights(bytes, *head);
  EdgeCollector edges(options);
  std::uint64_t e = 0;
  for (std::uint64_t u = 0; u < head->vertices; ++u) {
    if ((u & 0xFFFF) == 0)
      check_progress(run, static_cast<double>(u) / static_cast<double>(head->vertices));
    const std::uint64_t row_at = head->rows_at + 8 * u;
    const auto end = number_at<std::uint64_t>(bytes, row_at);
    if (end < e || end > head->edges)
      bad_array(source.name(), "row " + std::to_string(u) + " ends at edge " + std::to_string(end) +
                                   place(row_at) + "; expected " + std::to_string(e) + " to " +
                                   std::to_string(head->edges));
    for (; e < end; ++e) {
      const std::uint64_t at = head->targets_at + e * head->target_bytes();
      const std::uint64_t v = head->version == 1 ? number_at<std::uint32_t>(bytes, at)
                                                 : number_at<std::uint64_t>(bytes, at);
      if (v >= head->vertices)
        bad_array(source.name(), "target " + std::to_string(v) + place(at) +
                                     "; expected a vertex from 0 to " +
                                     std::to_string(head->vertices - 1));
      const double weight = weights[e];
      if (!std::isfinite(weight) || weight < 0)
        bad_array(source.name(), "weight " + std::to_string(weight) + " of edge " +
                                     std::to_string(e) + "; must be > 0");
      edges.add(static_cast<VertexId>(u), static_cast<VertexId>(v), weight);
    }
  }
  if (e != head->edges)
    bad_array(source.name(), "the rows hold " + std::to_string(e) + " edges; the head says " +
                                 std::to_string(head->edges));
  if (head->data_bytes > 0) file.stats.notes.push_back(weights.note());
  file.names = VertexNames::numbered(static_cast<VertexId>(head->vertices));
  edges.finish(source, run, file);
}

}  // namespace gssl::detail
