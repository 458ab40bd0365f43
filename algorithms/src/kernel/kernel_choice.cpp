#include "kernel/kernel_choice.hpp"

#include <algorithm>
#include <optional>

#include "gssl/core/error.hpp"

namespace gssl::detail {
namespace {

// The graph kernel that the text names, or nothing where it begins as none.
std::optional<GraphKernelOptions> graph_kernel(const std::string& text) {
  if (!is_graph_kernel(text)) return std::nullopt;
  const std::string name = text.substr(0, text.find('('));
  if (name.size() == text.size()) return parse_kernel(name);
  if (text.back() != ')')
    throw Error(ErrorCode::usage, "kernel '" + text + "': position " + std::to_string(text.size()) +
                                      ": expected ')' after the options of " + name);
  return parse_kernel(name + ":" + text.substr(name.size() + 1, text.size() - name.size() - 2));
}

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
  return std::ranges::count(kernel_names(), text.substr(0, text.find('('))) > 0;
}

void check_kernel(const std::string& learner, const std::string& whole) {
  try {
    const std::string text = without_centering(whole).kernel;
    if (text != "auto" && !graph_kernel(text)) parse_kernel_term(text);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, learner + ": " + error.what());
  }
}

std::shared_ptr<const ExpressionKernel> kernel_on_points(const std::string& learner,
                                                         const std::string& text,
                                                         const Points& points,
                                                         std::span<const double> weights) {
  if (text == "auto")
    return std::make_shared<ExpressionKernel>(
        KernelTerm{.kind = KernelTerm::Kind::gaussian, .scale = typical_beta(points, weights)});
  if (graph_kernel(text))
    throw Error(ErrorCode::usage, learner + ": kernel " + text +
                                      " is of graphs: on points take another, such as gaussian, or "
                                      "label the vertices of a graph");
  return std::make_shared<ExpressionKernel>(parse_kernel_term(text));
}

GraphKernelOptions kernel_on_graph(const std::string& learner, const std::string& text) {
  if (text == "auto") return {.kind = KernelKind::regularized, .normalized = true, .epsilon = 0.01};
  if (const auto options = graph_kernel(text)) return *options;
  throw Error(ErrorCode::usage,
              learner + ": kernel " + text + " is of points: on a graph take one of " + names());
}

}  // namespace gssl::detail
