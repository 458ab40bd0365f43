#pragma once
// What OptionBinding knows of a struct whose type it was told: each option's place in the struct, in
// bytes, and how it is read and written there. One class serves all structs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/options.hpp"

namespace gssl::detail {

// How an integer or enumeration of any size is read and set.
struct WholeAccess {
  std::int64_t (*get)(const void* member);
  void (*set)(void* member, std::int64_t value);
};

template <class Whole>
inline constexpr WholeAccess whole_access = {
    [](const void* member) {
      return static_cast<std::int64_t>(*static_cast<const Whole*>(member));
    },
    [](void* member, std::int64_t value) {
      *static_cast<Whole*>(member) = static_cast<Whole>(value);
    }};

// `defaults` is a struct of the type that `options` has everywhere else.
class OptionMembers {
 public:
  using Read = std::function<void(const OptionValues& values, void* member)>;
  using Write = std::function<std::string(const void* member)>;

  explicit OptionMembers(std::string owner) : owner_(std::move(owner)) {}

  void real(std::size_t place, const void* defaults, const std::string& name, RealRange range,
            const std::string& help);
  void real_or_none(std::size_t place, const std::string& name, double shown, RealRange range,
                    const std::string& help);
  void integer(std::size_t place, const void* defaults, WholeAccess access, const std::string& name,
               IntegerRange range, const std::string& help);
  void flag(std::size_t place, const void* defaults, const std::string& name,
            const std::string& help);
  void choice(std::size_t place, const void* defaults, WholeAccess access, const std::string& name,
              const std::vector<std::pair<std::int64_t, std::string>>& named,
              const std::string& help);
  void text(std::size_t place, const void* defaults, const std::string& name,
            const std::string& help);
  void value(std::size_t place, const void* defaults, const std::string& name,
             const std::string& help, Read read, Write write);

  const std::string& owner() const { return owner_; }
  const OptionTable& table() const { return table_; }

  void read(const OptionValues& values, void* options) const;
  std::string echo(const void* options) const;
  void validate(const void* options) const;  // each by itself; throws ErrorCode::usage

 private:
  struct Bound {
    std::string name;
    std::size_t place;
    Read read;
    Write write;

    std::string text(const void* options) const;
  };

  std::string owner_;
  OptionTable table_;
  std::vector<Bound> bound_;
};

}  // namespace gssl::detail
