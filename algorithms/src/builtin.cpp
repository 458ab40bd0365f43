#include <utility>

#include "gssl/batch/adaboost.hpp"
#include "gssl/batch/bagging.hpp"
#include "gssl/batch/elimination.hpp"
#include "gssl/batch/forest.hpp"
#include "gssl/batch/k_nearest.hpp"
#include "gssl/batch/kernel_ridge.hpp"
#include "gssl/batch/linear_svm.hpp"
#include "gssl/batch/logistic.hpp"
#include "gssl/batch/majority_boost.hpp"
#include "gssl/batch/nearest_mean.hpp"
#include "gssl/batch/parzen.hpp"
#include "gssl/batch/ridge.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/batch/svr.hpp"
#include "gssl/batch/tree.hpp"
#include "gssl/cluster/kernel_k_means.hpp"
#include "gssl/cluster/spectral.hpp"
#include "gssl/complete/completion.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/online/bandit.hpp"
#include "gssl/online/consistent.hpp"
#include "gssl/online/gradient_descent.hpp"
#include "gssl/online/graph_perceptron.hpp"
#include "gssl/online/hedge.hpp"
#include "gssl/online/kernel_perceptron.hpp"
#include "gssl/online/meg.hpp"
#include "gssl/online/perceptron.hpp"
#include "gssl/online/seminorm.hpp"
#include "gssl/online/share.hpp"
#include "gssl/online/switching_kernel.hpp"
#include "gssl/online/switching_multitask.hpp"
#include "gssl/online/weighted_average.hpp"
#include "gssl/online/weighted_majority.hpp"
#include "gssl/online/winnow.hpp"
#include "gssl/transductive/automatic.hpp"
#include "gssl/transductive/centered_kernel.hpp"
#include "gssl/transductive/consensus.hpp"
#include "gssl/transductive/cut_ssl.hpp"
#include "gssl/transductive/eigenfunction.hpp"
#include "gssl/transductive/eigenvector.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/label_propagation.hpp"
#include "gssl/transductive/local_global.hpp"
#include "gssl/transductive/min_cut.hpp"
#include "gssl/transductive/modularity_mbo.hpp"
#include "gssl/transductive/nearest_label.hpp"
#include "gssl/transductive/p_eikonal.hpp"
#include "gssl/transductive/p_laplacian.hpp"
#include "gssl/transductive/poisson.hpp"
#include "gssl/transductive/poisson_mbo.hpp"
#include "gssl/transductive/poisson_reweighted.hpp"
#include "gssl/transductive/properly_weighted.hpp"
#include "gssl/transductive/random_walk.hpp"
#include "gssl/transductive/sparse_label_propagation.hpp"
#include "gssl/transductive/volume_mbo.hpp"
#include "gssl/transductive/wnll.hpp"

namespace gssl {

namespace {

// Labels for the vertices of a graph.
void add_graph_learners(LearnerRegistry& registry) {
  registry.add(automatic_entry());
  registry.add(harmonic_entry());
  registry.add(local_global_entry());
  registry.add(label_propagation_entry());
  registry.add(consensus_entry());
  registry.add(nearest_label_entry());
  registry.add(centered_kernel_entry());
  registry.add(cut_ssl_entry());
  registry.add(eigenfunction_entry());
  registry.add(eigenvector_entry());
  registry.add(min_cut_entry());
  registry.add(modularity_mbo_entry());
  registry.add(p_eikonal_entry());
  registry.add(p_laplacian_entry());
  registry.add(poisson_entry());
  registry.add(poisson_mbo_entry());
  registry.add(poisson_reweighted_entry());
  registry.add(properly_weighted_entry());
  registry.add(random_walk_entry());
  registry.add(sparse_label_propagation_entry());
  registry.add(volume_mbo_entry());
  registry.add(wnll_entry());
}

// Of points: a model for any rows.
void add_row_learners(LearnerRegistry& registry) {
  registry.add(elimination_entry());
  registry.add(k_nearest_entry());
  registry.add(least_squares_entry());
  registry.add(linear_svm_entry());
  registry.add(logistic_entry());
  registry.add(nearest_mean_entry());
  registry.add(parzen_entry());
  registry.add(tree_entry());
  registry.add(ridge_entry());
  registry.add(adaboost_entry());
  registry.add(forest_entry());
  registry.add(kernel_ridge_entry());
  registry.add(svm_entry());
  registry.add(svr_entry());
  registry.add(bagging_entry());
  registry.add(majority_boost_entry());
}

// Trial by trial.
void add_online_learners(LearnerRegistry& registry) {
  registry.add(balanced_winnow_entry());
  registry.add(consistent_entry());
  registry.add(exp3_entry());
  registry.add(fixed_share_entry());
  registry.add(gradient_descent_entry());
  registry.add(graph_perceptron_entry());
  registry.add(halving_entry());
  registry.add(hedge_entry());
  registry.add(kernel_perceptron_entry());
  registry.add(meg_entry());
  registry.add(perceptron_entry());
  registry.add(randomized_kernel_descent_entry());
  registry.add(seminorm_entry());
  registry.add(switching_kernel_entry());
  registry.add(switching_multitask_entry());
  registry.add(ucb1_entry());
  registry.add(variable_share_entry());
  registry.add(weighted_average_entry());
  registry.add(weighted_majority_entry());
  registry.add(winnow_entry());
}

}  // namespace

LearnerRegistry builtin_learners() {
  LearnerRegistry registry;
  add_graph_learners(registry);
  add_row_learners(registry);
  add_online_learners(registry);
  // Clusters of a graph.
  registry.add(spectral_entry());
  registry.add(kernel_k_means_entry());
  // Cells of a matrix.
  registry.add(als_entry());
  registry.add(soft_impute_entry());
  // What to ask next; kernels.
  for (auto entries : {criterion_entries(), kernel_entries(), graph_kernel_entries()})
    for (LearnerEntry& entry : entries) registry.add(std::move(entry));
  return registry;
}

}  // namespace gssl
