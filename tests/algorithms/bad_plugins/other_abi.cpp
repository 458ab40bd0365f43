// A plug-in built against headers of another ABI; its entry point must never run.
#include "gssl/learn/plugin.hpp"

extern "C" int gssl_plugin_abi() { return gssl::plugin_abi + 1; }
extern "C" void gssl_register_plugin(gssl::LearnerRegistry& registry) { registry.add({}); }
