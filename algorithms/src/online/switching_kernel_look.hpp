#pragma once
// The second look of switching-kernel: kernel ridge functions of all rows of the run, the same for
// all times and tasks. Internal: not installed.

#include <cstdint>
#include <memory>

#include "gssl/core/run_context.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/learn/online.hpp"
#include "online/exponential_bound.hpp"

namespace gssl::detail {

// The kernel has no diagonal above 1. With `first_is_task` the first value of a row is no feature.
// Keeps all rows, and of more than 3,000 none: the bound of the report then stays as it is.
std::unique_ptr<SecondLook> switching_kernel_look(const ExponentialRun& run,
                                                  std::shared_ptr<const Kernel> kernel,
                                                  bool first_is_task, const RunContext& context);

}  // namespace gssl::detail
