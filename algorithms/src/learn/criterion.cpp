// Names and options of the criteria of active.hpp.

#include "gssl/learn/criterion.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

namespace {

// Beyond these its inverse, or squares of covariances, are more than a double holds.
constexpr double least_noise = 1e-100;
constexpr double most_noise = 1e100;

// All that a criterion has: rank and noise are of those with a covariance.
OptionBinding<AskOptions> binding_of(Criterion criterion) {
  OptionBinding<AskOptions> bound{std::string(to_string(criterion))};
  if (uses_covariance(criterion))
    bound
        .integer(&AskOptions::rank, "rank", {.low = AskOptions::automatic_rank},
                 "eigenpairs that stand for the covariance; 0: all of it, by solves; -1: 0 up to "
                 "4000 candidates, else 100")
        .real_or_none(
            &AskOptions::noise, "noise", 0.0, {.low = 0.0, .high = most_noise},
            "variance of a label in units of 1/(mean weighted degree); 0: labels are exact; at "
            "least 1e-100 else; not given: 0 by solves, 0.01 by eigenpairs");
  bound
      .choice(&AskOptions::unreached_first, "unreached", {{true, "first"}, {false, "last"}},
              "when components without a label are asked")
      .choice(&AskOptions::solver, "solver", "linear solver")
      .real(&AskOptions::tolerance, "tolerance",
            {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
            "relative residual to reach");
  return bound;
}

AskOptions asked_by(Criterion criterion, const OptionValues& values) {
  AskOptions options = binding_of(criterion).from(values);
  options.criterion = criterion;
  options.validate();
  return options;
}

struct AboutCriterion {
  const char* summary;
  const char* reference;
};

AboutCriterion about_criterion(Criterion criterion) {
  constexpr const char* survey =
      "B. Settles. Active learning literature survey. University of Wisconsin 2009, TR 1648";
  constexpr const char* change =
      "K. Miller, A. Bertozzi. Model change active learning in graph-based semi-supervised "
      "learning. 2024, doi:10.1007/s42967-023-00328-z";
  switch (criterion) {
    case Criterion::random: return {"any vertex: the baseline", survey};
    case Criterion::least_confident: return {"the vertex with the lowest largest share", survey};
    case Criterion::margin: return {"the vertex whose two largest shares are nearest", survey};
    case Criterion::entropy: return {"the vertex with the shares of highest entropy", survey};
    case Criterion::norm:
      return {"the vertex whose scores are smallest as they are",
              "K. Miller, J. Calder. Poisson reweighted Laplacian uncertainty sampling. 2023, "
              "doi:10.1137/22M1531981"};
    case Criterion::v_opt:
      return {"the vertex that lowers the total variance most",
              "M. Ji, J. Han. A variance minimization criterion to active learning on graphs. "
              "AISTATS 2012, 556-564"};
    case Criterion::sigma_opt:
      return {"the vertex that lowers the variance of the sum most",
              "Y. Ma, R. Garnett, J. Schneider. Sigma-optimality for active learning on Gaussian "
              "random fields. NIPS 2013"};
    case Criterion::model_change: return {"the vertex whose label moves the scores most", change};
    case Criterion::model_change_v_opt:
      return {"the vertex whose label moves scores and variance most", change};
  }
  return {"", ""};
}

}  // namespace

std::string_view to_string(Criterion criterion) { return names_of<Criterion>.name(criterion); }

std::vector<std::string> criterion_names() { return names_of<Criterion>.all(); }

bool uses_scores(Criterion criterion) {
  switch (criterion) {
    case Criterion::random:
    case Criterion::v_opt:
    case Criterion::sigma_opt: return false;
    default: return true;
  }
}

bool uses_covariance(Criterion criterion) { return criterion >= Criterion::v_opt; }

void AskOptions::validate() const {
  const auto refuse = [&](const std::string& option, const char* rule) {
    throw Error(ErrorCode::usage,
                std::string(to_string(criterion)) + ": option " + option + ": must be " + rule);
  };
  if (rank < automatic_rank) refuse("rank=" + std::to_string(rank), "-1 (automatic), 0 or more");
  if (noise && *noise != 0.0 && !(*noise >= least_noise && *noise <= most_noise))
    refuse("noise=" + to_text(*noise), "0 or in [1e-100, 1e+100]");
  if (rank > 0 && noise == 0.0)
    refuse("noise=0", "above 0 where rank cuts C to eigenpairs: exact labels leave none of them");
  SolverOptions{.kind = solver, .tolerance = tolerance}.validate();
}

OptionTable criterion_options() { return binding_of(Criterion::v_opt).table(); }

AskOptions parse_criterion(std::string_view spec) {
  const auto [name, assignments] = split_spec(spec);
  const Criterion criterion = names_of<Criterion>.value(name);
  const OptionValues values = criterion_options().parse(assignments, to_string(criterion));
  if (!uses_covariance(criterion))
    for (const char* key : {"rank", "noise"})
      if (values.given(key))
        throw Error(ErrorCode::usage, std::string(to_string(criterion)) + ": option " + key +
                                          ": is for v-opt, sigma-opt, model-change and "
                                          "model-change-v-opt, which use a covariance");
  return asked_by(criterion, values);
}

std::vector<LearnerEntry> criterion_entries() {
  std::vector<LearnerEntry> entries;
  for (const std::string& name : names_of<Criterion>.all()) {
    const Criterion criterion = names_of<Criterion>.value(name);
    const AboutCriterion about = about_criterion(criterion);
    LearnerEntry entry;
    entry.name = name;
    entry.summary = about.summary;
    entry.reference = about.reference;
    entry.options = binding_of(criterion).table();
    entry.make_criterion = [criterion](const OptionValues& values) {
      return asked_by(criterion, values);
    };
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace gssl
