#pragma once
// An option is written once: name, member, range and help, beside the struct it belongs to. From
// that come the table of the command line, the struct made of parsed values, the check of a struct
// that a program filled in, and the echo. Defaults are those of the struct.
//
//   struct RidgeOptions { double lambda = 1.0; bool bias = true; Loss loss = Loss::square; };
//   const OptionBinding<RidgeOptions>& ridge_options() {
//     static const auto binding = OptionBinding<RidgeOptions>("ridge")
//         .real(&RidgeOptions::lambda, "lambda", {.low = 0.0}, "weight of the penalty λ‖w‖²")
//         .flag(&RidgeOptions::bias, "bias", "an intercept that is not penalized")
//         .choice(&RidgeOptions::loss, "loss", {{Loss::square, "square"}}, "what is minimized");
//     return binding;
//   }
//   ridge_options().table();          // for the registry
//   ridge_options().from(values);     // RidgeOptions
//   ridge_options().validate(mine);   // throws ErrorCode::usage "ridge: option lambda=-1: must be …"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/option_members.hpp"
#include "gssl/core/options.hpp"

namespace gssl {

template <class Options>
class OptionBinding {
 public:
  explicit OptionBinding(std::string owner) : members_(std::move(owner)) {}

  OptionBinding& real(double Options::*member, const std::string& name, RealRange range,
                      const std::string& help) {
    members_.real(place_of(member), &defaults_, name, range, help);
    return *this;
  }

  // One that is left out where it is not given; help shows `shown` for it.
  OptionBinding& real_or_none(std::optional<double> Options::*member, const std::string& name,
                              double shown, RealRange range, const std::string& help) {
    members_.real_or_none(place_of(member), name, shown, range, help);
    return *this;
  }

  template <class Integer>
  OptionBinding& integer(Integer Options::*member, const std::string& name, IntegerRange range,
                         const std::string& help) {
    if constexpr (sizeof(Integer) < sizeof(std::int64_t))
      range.high = std::min<std::int64_t>(range.high, std::numeric_limits<Integer>::max());
    members_.integer(place_of(member), &defaults_, detail::whole_access<Integer>, name, range,
                     help);
    return *this;
  }

  OptionBinding& flag(bool Options::*member, const std::string& name, const std::string& help) {
    members_.flag(place_of(member), &defaults_, name, help);
    return *this;
  }

  // Any value of an enumeration that has names (core/named.hpp).
  template <class Enum>
  OptionBinding& choice(Enum Options::*member, const std::string& name, const std::string& help) {
    return choice(member, name, names_of<Enum>.pairs(), help);
  }

  // Some of its values, or names that it has here alone.
  template <class Enum>
  OptionBinding& choice(Enum Options::*member, const std::string& name,
                        const NamedValues<Enum>& named, const std::string& help) {
    std::vector<std::pair<std::int64_t, std::string>> whole;
    for (const auto& [known, spelled] : named)
      whole.emplace_back(static_cast<std::int64_t>(known), spelled);
    members_.choice(place_of(member), &defaults_, detail::whole_access<Enum>, name, whole, help);
    return *this;
  }

  OptionBinding& text(std::string Options::*member, const std::string& name,
                      const std::string& help) {
    members_.text(place_of(member), &defaults_, name, help);
    return *this;
  }

  // A member with a text of its own, such as "0.2;0.8" for two numbers. `read` throws on a text
  // that it cannot read, `write` is its inverse. A member of numbers also takes those that were
  // given as such (OptionValues::give).
  template <class Value, class Read, class Write>
  OptionBinding& value(Value Options::*member, const std::string& name, const std::string& help,
                       Read read, Write write) {
    members_.value(
        place_of(member), &defaults_, name, help,
        [=](const OptionValues& v, void* at) {
          Value& value = *static_cast<Value*>(at);
          if constexpr (std::is_same_v<Value, std::vector<double>>) {
            if (const auto* given = v.numbers(name)) {
              value = *given;
              return;
            }
          }
          value = read(v.text(name));
        },
        [=](const void* at) { return write(*static_cast<const Value*>(at)); });
    return *this;
  }

  // Options that many structs have, bound by a function of this binding.
  template <class Group>
  OptionBinding& with(const Group& group) {
    group(*this);
    return *this;
  }

  // A rule about several members; `check` throws ErrorCode::usage. validate() ends with it.
  OptionBinding& rule(std::function<void(const Options&)> check) {
    rules_.push_back(std::move(check));
    return *this;
  }

  const std::string& owner() const { return members_.owner(); }
  const OptionTable& table() const { return members_.table(); }

  Options from(const OptionValues& values) const {
    Options options;
    members_.read(values, &options);
    return options;
  }

  // "name=value,…" of all members, which parse() reads back.
  std::string echo(const Options& options) const { return members_.echo(&options); }

  Options parse(std::string_view assignments) const {
    return from(table().parse(assignments, owner()));
  }

  // Throws ErrorCode::usage naming option, value and rule.
  void validate(const Options& options) const {
    members_.validate(&options);
    for (const auto& check : rules_) check(options);
  }

 private:
  template <class Member>
  std::size_t place_of(Member Options::*member) const {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(defaults_.*member)) -
                                    reinterpret_cast<const std::byte*>(&defaults_));
  }

  Options defaults_{};
  detail::OptionMembers members_;
  std::vector<std::function<void(const Options&)>> rules_;
};

}  // namespace gssl
