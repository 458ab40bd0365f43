#include "gssl/learn/registry.hpp"
#include "gssl/transductive/consensus.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/label_propagation.hpp"
#include "gssl/transductive/local_global.hpp"
#include "gssl/transductive/nearest_label.hpp"
#include "gssl/transductive/p_laplacian.hpp"

namespace gssl {

LearnerRegistry builtin_learners() {
  LearnerRegistry registry;
  registry.add(harmonic_entry());
  registry.add(local_global_entry());
  registry.add(label_propagation_entry());
  registry.add(consensus_entry());
  registry.add(nearest_label_entry());
  registry.add(p_laplacian_entry());
  return registry;
}

}  // namespace gssl
