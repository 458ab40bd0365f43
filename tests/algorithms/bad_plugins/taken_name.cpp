// A plug-in whose second learner has a name that is taken; its first must not stay behind.
#include "gssl/learn/plugin.hpp"

namespace {

void register_two(gssl::LearnerRegistry& registry) {
  gssl::LearnerEntry entry;
  entry.name = "left-behind";
  entry.make_transductive = [](const gssl::OptionValues&) { return nullptr; };
  registry.add(entry);
  entry.name = "harmonic";
  registry.add(entry);
}

}  // namespace

GSSL_PLUGIN(register_two)
