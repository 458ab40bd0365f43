// A plug-in whose learner nobody can make.
#include "gssl/learn/plugin.hpp"

namespace {

void register_name(gssl::LearnerRegistry& registry) {
  gssl::LearnerEntry entry;
  entry.name = "factory-less";
  registry.add(entry);
}

}  // namespace

GSSL_PLUGIN(register_name)
