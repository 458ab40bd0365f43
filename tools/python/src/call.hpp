#pragma once
// Long work for a caller in Python: without the lock of the interpreter, and yet Ctrl-C ends it and
// a progress function is told how far it is.
//
//   Call call(asked);                         // the tuple that gssl/_run.py makes
//   Fit fit = call([&](const RunContext& run) { return learner.fit(graph, labeled, run); });
//
// The work runs on a thread of its own. The calling thread waits without the lock, and every 50 ms
// takes it to let Python handle signals and to call the progress function, both of which are thus
// called where Python wants them. An exception of either, or False from the function, raises the
// cancel flag; the work ends at its next look at the flag, and then the exception goes on. OpenMP
// keeps its pool of threads by the thread that began them, so that a child of os.fork() never waits
// for threads that it does not have.

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <utility>

#include "gssl/core/run_context.hpp"

namespace gssl::python {

namespace py = pybind11;

class Call {
 public:
  // (seed, threads, seconds or None, bytes, progress or None)
  explicit Call(const py::tuple& asked);

  template <class Work>
  auto operator()(Work&& work) {
    std::optional<decltype(work(std::declval<const RunContext&>()))> result;
    run([&](const RunContext& context) { result.emplace(work(context)); });
    return *std::move(result);
  }

  // Holds the lock before and after.
  void run(const std::function<void(const RunContext&)>& work);

 private:
  RunContext context_;
  py::object progress_;
};

}  // namespace gssl::python
