#include "remedy_words.hpp"

#include <array>

namespace gssl::tool {
namespace {

constexpr std::array<RemedyWords, remedy_count> words_of_remedies = {{
    {Remedy::transductive, "gssl label", "gssl.label"},
    {Remedy::points_learner, "gssl label --points", "gssl.label_points"},
    {Remedy::inductive, "gssl fit", "gssl.fit"},
    {Remedy::online, "gssl online", "gssl.Online"},
    {Remedy::clusterer, "gssl cluster", "gssl.cluster"},
    {Remedy::completer, "gssl complete", "gssl.complete"},
    {Remedy::criterion, "gssl ask --criterion", "gssl.ask"},
    {Remedy::kernel, "--method svm:kernel=NAME", ""},
    {Remedy::graph_kernel, "gssl kernel", "gssl.kernel"},
    {Remedy::evaluate, "gssl evaluate", "gssl.evaluate"},
    {Remedy::points, "--points", "points="},
    {Remedy::knn, "--knn 10", "gssl.build"},
    {Remedy::calibrate, "--calibrate", "calibrate="},
    {Remedy::epsilon, "--epsilon", "epsilon="},
    {Remedy::plugin, "--plugin", "gssl.load_plugin"},
    {Remedy::regression, "--regression", "regression="},
    {Remedy::input_format, "--input-format", "input_format="},
    {Remedy::delimiter, "--delimiter", "delimiter="},
    {Remedy::decimal, "--decimal", "decimal="},
    {Remedy::skip_lines, "--skip", "skip="},
    {Remedy::columns, "--columns", "columns="},
    {Remedy::header, "--header yes", ""},
    {Remedy::no_header, "--header no", ""},
    {Remedy::label_column, "--label-column", "label_column="},
    {Remedy::weight_column, "--weight-column", "weights="},
    {Remedy::id_column, "--id-column", "id_column="},
    {Remedy::label_columns, "--label-columns", "label_columns="},
    {Remedy::categorical, "--categorical", ""},
    {Remedy::missing, "--missing", "missing="},
    {Remedy::skip_errors, "--on-error skip", ""},
    {Remedy::scores, "gssl label --scores", ""},
    {Remedy::bipartite, "--bipartite", "bipartite="},
    {Remedy::layer_weights, "--layer-weights", "layer_weights="},
    {Remedy::build_graph, "gssl build FILE --knn 10 -o graph.tsv", "gssl.build"},
}};

std::string with_words(const Error& error, const char* RemedyWords::*words) {
  std::string all;
  for (const RemedyWords& one : words_of_remedies) {
    const std::string word = one.*words;
    if (error.remedies().has(one.remedy) && !word.empty()) all += (all.empty() ? "" : ", ") + word;
  }
  return all.empty() ? error.what() : error.what() + (" (" + all + ")");
}

}  // namespace

std::span<const RemedyWords> all_remedy_words() { return words_of_remedies; }

std::string with_flags(const Error& error) { return with_words(error, &RemedyWords::flag); }

std::string with_keywords(const Error& error) { return with_words(error, &RemedyWords::keyword); }

}  // namespace gssl::tool
