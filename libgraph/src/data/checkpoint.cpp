#include "gssl/data/checkpoint.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gssl/core/stopwatch.hpp"

namespace gssl {
namespace {

constexpr double least_share = 20.0;  // of the seconds that a write took, between two of them
constexpr double longest_wait = 1e9;  // seconds
constexpr double usual_speed = 2e8;   // bytes per second, before one was measured

enum Flag : std::int32_t { nothing = 0, has_state = 1, has_result = 2 };

std::int64_t bytes_of(const Record::Value& value) {
  return std::visit(
      [](const auto& list) {
        return static_cast<std::int64_t>(list.size() * sizeof(*list.data()));
      },
      value);
}

[[noreturn]] void refuse_outline() {
  throw Error(ErrorCode::bad_data, "checkpoint: its steps do not fit together");
}

}  // namespace

struct Checkpoint::Part {
  std::optional<Record> record;
  bool finished = false;
  bool at_work = false;       // in this run
  std::int64_t saved_in = 0;  // number of the write that the record is new for, from 1
};

struct Checkpoint::Node {
  std::string kind;
  std::uint64_t fingerprint = 0;
  std::vector<Part> parts;
  std::vector<std::unique_ptr<Node>> inner;
  std::size_t next = 0;  // of inner, in this run
  std::function<Record()> provider;

  bool keeps_nothing() const {
    return std::ranges::none_of(parts, [](const Part& part) { return part.record.has_value(); }) &&
           kept_inner() == 0;
  }
  // How many of inner are worth keeping: a step that left nothing counts only before one that did.
  std::size_t kept_inner() const {
    std::size_t count = inner.size();
    while (count > 0 && inner[count - 1]->keeps_nothing()) --count;
    return count;
  }

  // Calls body(node, depth) for all nodes below, each before those in it.
  template <class Body>
  void walk(Body&& body, int depth = 0) const {
    for (const auto& node : inner) {
      body(*node, depth);
      node->walk(body, depth + 1);
    }
  }
  // The same for those that are worth keeping.
  template <class Body>
  void walk_kept(Body&& body, int depth = 0) const {
    for (std::size_t i = 0, count = kept_inner(); i < count; ++i) {
      body(*inner[i], depth);
      inner[i]->walk_kept(body, depth + 1);
    }
  }
};

Checkpoint::Checkpoint(double every, Writer writer)
    : every_(every),
      writer_(std::move(writer)),
      root_(std::make_unique<Node>()),
      outline_(std::make_unique<Record>()) {
  if (!(every >= 0.0))
    throw Error(ErrorCode::usage, "checkpoint: seconds between two writes: must be ≥ 0");
  open_.push_back(root_.get());
  wait(every);
}

Checkpoint::~Checkpoint() = default;

bool Checkpoint::time_to_write() const {
  return Clock::now().time_since_epoch() >= std::chrono::nanoseconds(next_.load());
}

void Checkpoint::wait(double seconds) {
  const std::chrono::duration<double> time(std::min(seconds, longest_wait));
  next_ = std::chrono::nanoseconds(Clock::now().time_since_epoch() +
                                   std::chrono::duration_cast<std::chrono::nanoseconds>(time))
              .count();
}

Checkpoint::Node* Checkpoint::begin(std::string_view kind, std::uint64_t fingerprint,
                                    std::size_t parts) {
  const std::lock_guard lock(mutex_);
  Node& outer = *open_.back();
  if (outer.next < outer.inner.size()) {
    const Node& there = *outer.inner[outer.next];
    if (there.kind != kind || there.fingerprint != fingerprint || there.parts.size() != parts) {
      if (parted_.empty()) parted_ = kind;
      outer.inner.erase(outer.inner.begin() + static_cast<std::ptrdiff_t>(outer.next),
                        outer.inner.end());
    }
  }
  if (outer.next == outer.inner.size()) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->fingerprint = fingerprint;
    node->parts.resize(parts);
    outer.inner.push_back(std::move(node));
  }
  Node* node = outer.inner[outer.next++].get();
  open_.push_back(node);
  return node;
}

void Checkpoint::end(Node* node) {
  const std::lock_guard lock(mutex_);
  GSSL_ASSERT(open_.back() == node);
  open_.pop_back();
  keep_state(*node);
  for (Part& part : node->parts) part.at_work = false;
}

void Checkpoint::keep_state(Node& node) {
  Part& first = node.parts.front();
  if (node.provider && !first.finished) {
    try {
      first.record = node.provider();
    } catch (...) {  // no memory is left: the steps that were passed must be made again
      first.record.reset();
      node.inner.clear();
    }
  }
  node.provider = nullptr;
}

bool Checkpoint::due(const Part& part) const {
  if (!time_to_write()) return false;
  const std::lock_guard lock(mutex_);
  return part.saved_in <= writes_;
}

// Whether no part at work has anything newer than what was saved of it. Parts that hold steps are
// asked when all is written.
bool Checkpoint::all_saved() const {
  bool all = true;
  root_->walk([&](const Node& node, int) {
    for (const Part& part : node.parts)
      all =
          all && (!part.at_work || node.provider || !node.inner.empty() || part.saved_in > writes_);
  });
  return all;
}

void Checkpoint::save(Part& part, Record record, bool finished) {
  const std::lock_guard lock(mutex_);
  part.record = std::move(record);
  part.finished = finished;
  part.at_work = !finished;
  part.saved_in = writes_ + 1;
  news_ = true;
  if (time_to_write() && all_saved()) write_all();
}

// States of steps that hold steps, as they are now. They are let go when they are written.
void Checkpoint::take_provided() {
  for (Node* node : open_)
    if (node->provider && !node->parts.front().finished)
      node->parts.front().record = node->provider();
}

void Checkpoint::drop_provided() {
  for (Node* node : open_)
    if (node->provider && !node->parts.front().finished) node->parts.front().record.reset();
}

void Checkpoint::write_all() {
  const Stopwatch watch;
  if (writer_) {
    try {
      take_provided();
      writer_(*this);
      trouble_.clear();
    } catch (const Error& error) {
      trouble_ = error.what();
    }
    last_seconds_ = watch.seconds();
    last_bytes_ = bytes();
    drop_provided();
  }
  ++writes_;
  news_ = false;
  wait(std::max(every_, least_share * last_seconds_));
}

bool Checkpoint::write(std::optional<double> most_seconds) {
  const std::lock_guard lock(mutex_);
  if (!news_) return true;
  if (most_seconds) {
    const double speed = last_bytes_ > 0 && last_seconds_ > 0.0
                             ? static_cast<double>(last_bytes_) / last_seconds_
                             : usual_speed;
    if (static_cast<double>(bytes()) > speed * *most_seconds) return false;
  }
  write_all();
  return trouble_.empty();
}

std::int64_t Checkpoint::bytes() const {
  std::int64_t sum = 0;
  root_->walk([&](const Node& node, int) {
    for (const Part& part : node.parts)
      if (part.record)
        for (const auto& [name, value] : part.record->entries()) sum += bytes_of(value);
  });
  return sum;
}

std::vector<Checkpoint::NamedValue> Checkpoint::to_values() const {
  std::vector<std::string> kinds;
  std::vector<std::int64_t> fingerprints;
  std::vector<std::int32_t> depths, parts, flags;
  std::vector<NamedValue> values;
  root_->walk_kept([&](const Node& node, int depth) {
    const std::string place = std::to_string(kinds.size()) + ".";
    kinds.push_back(node.kind);
    fingerprints.push_back(static_cast<std::int64_t>(node.fingerprint));
    depths.push_back(depth);
    parts.push_back(static_cast<std::int32_t>(node.parts.size()));
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
      const Part& part = node.parts[p];
      flags.push_back(!part.record ? nothing : part.finished ? has_result : has_state);
      if (!part.record) continue;
      const std::string of_part = place + std::to_string(p) + "/";
      for (const auto& [name, value] : part.record->entries())
        values.push_back({of_part + name, &value});
    }
  });
  Record outline;
  outline.put("steps/kind", kinds);
  outline.put("steps/fingerprint", std::move(fingerprints));
  outline.put("steps/depth", std::move(depths));
  outline.put("steps/parts", std::move(parts));
  outline.put("steps/flags", std::move(flags));
  *outline_ = std::move(outline);
  std::vector<NamedValue> all;
  for (const auto& [name, value] : outline_->entries()) all.push_back({name, &value});
  std::ranges::move(values, std::back_inserter(all));
  return all;
}

void Checkpoint::restore(const Record& record) {
  const std::vector<std::string> kinds = record.texts("steps/kind");
  const auto count = static_cast<std::int64_t>(kinds.size());
  const auto& fingerprints = record.long_integers("steps/fingerprint");
  const auto& depths = record.integers("steps/depth", count);
  const auto& parts = record.integers("steps/parts", count);
  const auto& flags = record.integers("steps/flags");
  if (fingerprints.size() != kinds.size()) refuse_outline();
  std::vector<Node*> path = {root_.get()};
  std::size_t flag = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (depths[i] < 0 || static_cast<std::size_t>(depths[i]) >= path.size() || parts[i] < 1 ||
        static_cast<std::size_t>(parts[i]) > flags.size() - flag)
      refuse_outline();
    path.resize(static_cast<std::size_t>(depths[i]) + 1);
    auto node = std::make_unique<Node>();
    node->kind = kinds[i];
    node->fingerprint = static_cast<std::uint64_t>(fingerprints[i]);
    node->parts.resize(static_cast<std::size_t>(parts[i]));
    for (std::size_t p = 0; p < node->parts.size(); ++p, ++flag) {
      if (flags[flag] == nothing) continue;
      node->parts[p].record = record.child(std::to_string(i) + "." + std::to_string(p));
      node->parts[p].finished = flags[flag] == has_result;
    }
    path.push_back(node.get());
    path[path.size() - 2]->inner.push_back(std::move(node));
  }
}

CheckpointStep::CheckpointStep(Checkpoint* checkpoint, std::string_view kind,
                               std::uint64_t fingerprint, std::size_t parts)
    : checkpoint_(checkpoint) {
  if (checkpoint != nullptr) node_ = checkpoint->begin(kind, fingerprint, parts);
}

CheckpointStep::~CheckpointStep() {
  if (node_ != nullptr) checkpoint_->end(node_);
}

const Record* CheckpointStep::finished(std::size_t part) const {
  if (node_ == nullptr || !node_->parts[part].finished) return nullptr;
  return &*node_->parts[part].record;
}

const Record* CheckpointStep::state(std::size_t part) {
  if (node_ == nullptr || node_->parts[part].finished) return nullptr;
  const std::lock_guard lock(checkpoint_->mutex_);
  node_->parts[part].at_work = true;
  if (!node_->parts[part].record) return nullptr;
  return &*node_->parts[part].record;
}

bool CheckpointStep::due(std::size_t part) const {
  return node_ != nullptr && checkpoint_->due(node_->parts[part]);
}

void CheckpointStep::save(Record record, std::size_t part) {
  if (node_ != nullptr) checkpoint_->save(node_->parts[part], std::move(record), false);
}

void CheckpointStep::finish(Record record, std::size_t part) {
  if (node_ == nullptr) return;
  if (node_->parts.size() == 1) passed(0);
  checkpoint_->save(node_->parts[part], std::move(record), true);
}

void CheckpointStep::state_from(std::function<Record()> state) {
  if (node_ == nullptr) return;
  const std::lock_guard lock(checkpoint_->mutex_);
  node_->provider = std::move(state);
}

void CheckpointStep::keep_state() {
  if (node_ == nullptr) return;
  const std::lock_guard lock(checkpoint_->mutex_);
  Checkpoint::keep_state(*node_);
}

std::size_t CheckpointStep::inner_steps() const { return node_ == nullptr ? 0 : node_->next; }

void CheckpointStep::passed(std::size_t keep) {
  if (node_ == nullptr) return;
  const std::lock_guard lock(checkpoint_->mutex_);
  node_->next = std::min(node_->next, keep);
  node_->inner.resize(std::min(node_->inner.size(), keep));
  checkpoint_->news_ = true;
}

}  // namespace gssl
