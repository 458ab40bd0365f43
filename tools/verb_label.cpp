// gssl label: a graph and some labels in, a label for every vertex out.

#include <memory>

#include "label_job.hpp"

namespace gssl::tool {

namespace {

void add_label_inputs(CLI::App& verb, LabelOptions& options) {
  verb.add_option("GRAPH", options.graph, "graph file ('-': standard input); none beside --points")
      ->type_name("FILE");
  verb.add_option(
          "LABELS", options.labels,
          "lines 'node label', .npy, .npz, idx, or what gssl label wrote ('-': standard input)")
      ->type_name("FILE");
  verb.add_option("--method", options.method, "NAME[:key=value,…]; see gssl learners")
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_flag("--regression", options.regression, "labels are real numbers, not classes");
  verb.add_option("--classes-prior", options.priors, "lines 'class share' the answer should meet")
      ->type_name("FILE");
  verb.add_option("--truth", options.truth, "measure against labels like LABELS")
      ->type_name("FILE");
}

void add_label_outputs(CLI::App& verb, LabelOptions& options) {
  verb.add_option("--scores", options.scores, "also write the score of every class")
      ->type_name("FILE")
      ->group("Output");
  verb.add_option("--top", options.top,
                  "with --scores: the N best classes of a vertex and their scores, not all")
      ->type_name("N")
      ->check(CLI::Validator(at_least_one_error, ""))
      ->needs("--scores")
      ->group("Output");
  verb.add_option("--report", options.report, "also write a page to look at")
      ->type_name("FILE.html")
      ->group("Output");
}

void add_confidence_options(CLI::App& verb, LabelOptions& options) {
  const std::string confidence = "Confidence";
  verb.add_option("--calibrate", options.calibrate,
                  "make confidence the chance to be right, by given labels that are left out: "
                  "temperature, isotonic or platt")
      ->type_name("NAME")
      ->check(one_of({"temperature", "isotonic", "platt"}))
      ->group(confidence);
  verb.add_option("--min-confidence", options.min_confidence,
                  "answer '?', status uncertain, where confidence is below P")
      ->type_name("P")
      ->check(CLI::Validator(distance_error, ""))
      ->group(confidence);
}

void add_points_to_label(CLI::App& verb, LabelOptions& options) {
  verb.add_option("--points", options.points,
                  "build the graph from points, as gssl build does with the options below; without "
                  "LABELS, those of the label column are given")
      ->type_name("FILE")
      ->group("Points");
  add_points_options(verb, options.build, "--points-format");
  CLI::Option* extend =
      verb.add_option("--extend", options.extend,
                      "also label the points of this file, which are not in the graph, by their K "
                      "nearest that are; they follow in the output as new:NAME. Columns as in "
                      "--points; that of labels may be missing")
          ->type_name("FILE")
          ->needs("--knn")
          ->group("Points");
  verb.add_option("--extend-output", options.extend_output,
                  "write these to a file of their own, as NAME")
      ->type_name("FILE")
      ->needs(extend)
      ->group("Output");
}

}  // namespace

Verb add_label(CLI::App& app, CommonOptions& common) {
  const std::string digits = "gssl label datasets/digits/edges.tsv datasets/digits/labels.tsv";
  const std::string points = "gssl label --points datasets/";
  CLI::App& verb = add_verb(
      app, "label", "Labels every vertex of a graph from a few given labels.",
      {digits + " --truth datasets/digits/truth.tsv -o digits.tsv",
       digits + " --method local-global:alpha=0.95 --scores scores.tsv --summary run.json",
       "gzip -c datasets/digits/edges.tsv | gssl label - datasets/digits/labels.tsv --format csv",
       points + "iris/points.csv --label-column class --knn 10 --mst "
                "datasets/iris/labels.tsv",
       points + "wine/points.csv --label-column 14 --knn 10 --extend "
                "datasets/wine/points.csv --extend-output new.tsv"});
  const auto options = std::make_shared<LabelOptions>();
  add_label_inputs(verb, *options);
  add_label_outputs(verb, *options);
  add_confidence_options(verb, *options);
  add_graph_options(verb, common);
  add_label_options(verb, common);
  add_points_to_label(verb, *options);
  add_output_options(verb, common);
  add_graph_output(verb, common);
  add_solve_options(verb, common);
  add_checkpoint_options(verb, options->checkpoint);
  add_warm_start_options(verb, options->warm);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return label(session, *options); };
}

}  // namespace gssl::tool
