#include "call.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "gssl/core/error.hpp"

namespace gssl::python {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);

// What the two threads tell each other.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  bool told = true;  // the progress function knows the stage and the share
  std::string stage;
  double share = -1.0;
};

// With the lock of the interpreter: what Python wants to raise, if anything.
std::optional<py::error_already_set> look(const py::object& progress, const std::string& stage,
                                          double share, bool tell, bool& stop) {
  if (PyErr_CheckSignals() != 0) return py::error_already_set();
  if (!tell) return std::nullopt;
  try {
    const py::object known = share < 0.0 ? py::object(py::none()) : py::float_(share);
    const py::object answer = progress(stage, known);
    stop = answer.is(py::bool_(false));
  } catch (py::error_already_set& error) {
    return std::move(error);
  }
  return std::nullopt;
}

}  // namespace

Call::Call(const py::tuple& asked) : progress_(asked[4]) {
  context_.seed = asked[0].cast<std::uint64_t>();
  context_.threads = asked[1].cast<int>();
  if (!asked[2].is_none())
    context_.deadline =
        RunContext::Clock::now() + std::chrono::duration_cast<RunContext::Clock::duration>(
                                       std::chrono::duration<double>(asked[2].cast<double>()));
  context_.memory_limit = asked[3].cast<std::size_t>();
}

void Call::run(const std::function<void(const RunContext&)>& work) {
  std::atomic<bool> cancel{false};
  Shared shared;
  RunContext context = context_;
  context.cancel = &cancel;
  const bool silent = progress_.is_none();
  if (!silent)
    context.progress = [&shared](std::string_view stage, double share) {
      const std::lock_guard lock(shared.mutex);
      shared.stage = stage;
      shared.share = share;
      shared.told = false;
    };
  std::exception_ptr failure;
  std::optional<py::error_already_set> raised;
  bool refused = false;
  {
    const py::gil_scoped_release release;
    std::thread worker([&] {
      try {
        work(context);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(shared.mutex);
      shared.done = true;
      shared.changed.notify_one();
    });
    std::unique_lock lock(shared.mutex);
    while (!shared.changed.wait_for(lock, between_looks, [&] { return shared.done; })) {
      if (raised || refused) continue;
      const std::string stage = shared.stage;
      const double share = shared.share;
      const bool tell = !std::exchange(shared.told, true);
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        raised = look(progress_, stage, share, tell && !silent, refused);
      }
      if (raised || refused) cancel = true;
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (raised) throw std::move(*raised);
  if (refused) throw Error(ErrorCode::cancelled, "the progress function returned False");
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gssl::python
