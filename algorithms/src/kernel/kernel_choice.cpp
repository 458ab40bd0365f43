#include "kernel/kernel_choice.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/network/graph_kernel.hpp"

namespace gssl::detail {
namespace {

std::string names() {
  std::string all;
  for (const std::string& name : kernel_names()) all += (all.empty() ? "" : ", ") + name;
  return all;
}

// One over columns times the variance of all cells, so that a typical distance is near 1. Rows count
// by their weights, so that a row of weight 2 is that row twice.
double typical_beta(const Points& points, std::span<const double> weights) {
  const auto weight = [&](VertexId r) {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(r)];
  };
  double sum = 0.0, square = 0.0, rows = 0.0;
  for (VertexId r = 0; r < points.rows(); ++r) {
    rows += weight(r);
    points.visit_row(r, [&](std::int64_t, double x) { sum += weight(r) * x; });
  }
  const double cells = rows * static_cast<double>(points.columns());
  if (cells == 0.0) return 1.0;
  const double mean = sum / cells;
  double held = 0.0;
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t, double x) {
      square += weight(r) * (x - mean) * (x - mean);
      held += weight(r);
    });
  square += (cells - held) * mean * mean;
  const double spread = static_cast<double>(points.columns()) * square / cells;
  return spread > 0.0 ? 1.0 / spread : 1.0;
}

}  // namespace

KernelText without_centering(const std::string& text) {
  constexpr std::string_view word = "center(";
  if (!text.starts_with(word)) return {text, false};
  if (text.back() != ')')
    throw Error(ErrorCode::usage, "kernel '" + text + "': position " + std::to_string(text.size()) +
                                      ": center(K) must be the whole of the kernel");
  return {text.substr(word.size(), text.size() - word.size() - 1), true};
}

bool is_graph_kernel(const std::string& text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz-";
  const std::vector<std::string> known = kernel_names();
  for (std::size_t at = text.find_first_of(letters); at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
    if (std::ranges::count(known, std::string_view(text).substr(at, end - at)) > 0) return true;
    at = text.find_first_of(letters, end);
  }
  return false;
}

bool is_string_kernel(const KernelTerm& term) {
  using Kind = KernelTerm::Kind;
  const auto composed = [](Kind kind) {
    return kind == Kind::sum || kind == Kind::product || kind == Kind::power ||
           kind == Kind::normalize || kind == Kind::constant;
  };
  return any_term(term, [](const KernelTerm& t) { return t.kind == Kind::spectrum; }) &&
         !any_term(term, [&](const KernelTerm& t) {
           return t.kind != Kind::spectrum && !composed(t.kind);
         });
}

void check_kernel(const std::string& learner, const std::string& whole) {
  try {
    const std::string text = without_centering(whole).kernel;
    if (text != "auto")
      parse_kernel_term(text, is_graph_kernel(text) ? KernelItems::vertices : KernelItems::rows);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, learner + ": " + error.what(), error.remedies());
  }
}

std::shared_ptr<const ExpressionKernel> kernel_on_points(const std::string& learner,
                                                         const std::string& text,
                                                         const Points& points,
                                                         std::span<const double> weights) {
  if (text == "auto")
    return std::make_shared<ExpressionKernel>(
        KernelTerm{.kind = KernelTerm::Kind::gaussian, .scale = typical_beta(points, weights)});
  if (is_graph_kernel(text))
    throw Error(ErrorCode::usage, learner + ": kernel " + text +
                                      " is of graphs: on points take another, such as gaussian, or "
                                      "label the vertices of a graph");
  return std::make_shared<ExpressionKernel>(parse_kernel_term(text));
}

KernelTerm kernel_on_graph(const std::string& learner, const std::string& text) {
  if (text == "auto")
    return {.kind = KernelTerm::Kind::graph, .graph = "regularized:epsilon=0.01,normalized"};
  if (is_graph_kernel(text)) return parse_kernel_term(text, KernelItems::vertices);
  throw Error(ErrorCode::usage,
              learner + ": kernel " + text + " is of points: on a graph take one of " + names());
}

}  // namespace gssl::detail
