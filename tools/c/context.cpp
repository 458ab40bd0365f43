#include <algorithm>
#include <chrono>
#include <cstring>

#include "handles.hpp"

namespace {

constexpr std::size_t most_kept = 2048;  // of a message, with the 0 at its end
thread_local char last_error[most_kept] = "";

}  // namespace

namespace gssl::c {

void set_error(const char* message) noexcept {
  const std::size_t length = std::min(std::strlen(message), most_kept - 1);
  std::memcpy(last_error, message, length);
  last_error[length] = '\0';
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr)
    throw Error(ErrorCode::usage, std::string(name) + ": NULL: must not be NULL");
}

void require_array(const void* array, std::size_t count, const char* name) {
  if (count > 0) require(array, name);
}

RunContext run_of(const gssl_context* context) {
  RunContext run;
  if (context == nullptr) return run;
  run.threads = context->threads;
  run.seed = context->seed;
  run.deadline = context->deadline;
  run.cancel = &context->cancel;
  if (context->progress != nullptr)
    run.progress = [context](std::string_view stage, double fraction) {
      if (context->progress(std::string(stage).c_str(), fraction, context->user) != 0)
        context->cancel.store(true, std::memory_order_relaxed);
    };
  return run;
}

std::vector<VertexId> vertex_list(std::size_t count, const int32_t* vertices) {
  require_array(vertices, count, "vertices");
  return {vertices, vertices + count};
}

}  // namespace gssl::c

using gssl::c::guard;
using gssl::c::require;

const char* gssl_version(void) { return GSSL_VERSION; }

const char* gssl_last_error(void) { return last_error; }

const char* gssl_status_text(gssl_status status) {
  switch (status) {
    case GSSL_OK: return "complete";
    case GSSL_INCOMPLETE: return "incomplete";
    case GSSL_USAGE: return "usage";
    case GSSL_BAD_DATA: return "bad data";
    case GSSL_CANNOT_OPEN: return "cannot open input";
    case GSSL_INTERNAL: return "internal error";
    case GSSL_OUT_OF_MEMORY: return "out of memory";
    case GSSL_CANNOT_CREATE: return "cannot create output";
    case GSSL_IO_FAILURE: return "read or write failed";
  }
  return "unknown status";
}

gssl_status gssl_context_new(gssl_context** context) {
  return guard([&] {
    require(context, "context");
    *context = new gssl_context;
    return GSSL_OK;
  });
}

gssl_status gssl_context_set_threads(gssl_context* context, int threads) {
  return guard([&] {
    require(context, "context");
    if (threads < 0)
      throw gssl::Error(gssl::ErrorCode::usage,
                        "threads: " + std::to_string(threads) + ": must be >= 0; 0 is all");
    context->threads = threads;
    return GSSL_OK;
  });
}

gssl_status gssl_context_set_seed(gssl_context* context, uint64_t seed) {
  return guard([&] {
    require(context, "context");
    context->seed = seed;
    return GSSL_OK;
  });
}

gssl_status gssl_context_set_deadline(gssl_context* context, double seconds) {
  return guard([&] {
    require(context, "context");
    constexpr double longest = 1e9;  // seconds; some 30 years, which the clock can count
    if (!(seconds >= 0.0))
      throw gssl::Error(gssl::ErrorCode::usage,
                        "seconds: " + std::to_string(seconds) + ": must be >= 0; 0 is no deadline");
    context->deadline.reset();
    if (seconds > 0.0 && seconds < longest)
      context->deadline = gssl::RunContext::Clock::now() +
                          std::chrono::duration_cast<gssl::RunContext::Clock::duration>(
                              std::chrono::duration<double>(seconds));
    return GSSL_OK;
  });
}

gssl_status gssl_context_set_progress(gssl_context* context, gssl_progress progress, void* user) {
  return guard([&] {
    require(context, "context");
    context->progress = progress;
    context->user = user;
    return GSSL_OK;
  });
}

void gssl_cancel(gssl_context* context) {
  if (context != nullptr) context->cancel.store(true, std::memory_order_relaxed);
}

void gssl_context_free(gssl_context* context) { delete context; }
