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
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/options.hpp"

namespace gssl {

template <class Options>
class OptionBinding {
 public:
  explicit OptionBinding(std::string owner) : owner_(std::move(owner)) {}

  OptionBinding& real(double Options::*member, const std::string& name, RealRange range,
                      const std::string& help) {
    table_.real(name, Options{}.*member, range, help);
    return bind(
        name, [=](const OptionValues& v, Options& o) { o.*member = v.real(name); },
        [=](const Options& o) { return to_text(o.*member); });
  }

  // One that is left out where it is not given; help shows `shown` for it.
  OptionBinding& real_or_none(std::optional<double> Options::*member, const std::string& name,
                              double shown, RealRange range, const std::string& help) {
    table_.real(name, shown, range, help);
    return bind(
        name,
        [=](const OptionValues& v, Options& o) {
          if (v.given(name)) o.*member = v.real(name);
        },
        [=](const Options& o) { return to_text((o.*member).value_or(shown)); });
  }

  template <class Integer>
  OptionBinding& integer(Integer Options::*member, const std::string& name, IntegerRange range,
                         const std::string& help) {
    if constexpr (sizeof(Integer) < sizeof(std::int64_t))
      range.high = std::min<std::int64_t>(range.high, std::numeric_limits<Integer>::max());
    table_.integer(name, static_cast<std::int64_t>(Options{}.*member), range, help);
    return bind(
        name,
        [=](const OptionValues& v, Options& o) {
          o.*member = static_cast<Integer>(v.integer(name));
        },
        [=](const Options& o) { return std::to_string(o.*member); });
  }

  OptionBinding& flag(bool Options::*member, const std::string& name, const std::string& help) {
    table_.flag(name, Options{}.*member, help);
    return bind(
        name, [=](const OptionValues& v, Options& o) { o.*member = v.flag(name); },
        [=](const Options& o) { return std::string(o.*member ? "true" : "false"); });
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
    const auto text_of = [named](Enum asked) {
      for (const auto& [known, spelled] : named)
        if (known == asked) return spelled;
      return std::string("an unknown value");
    };
    std::vector<std::string> names;
    for (const auto& [known, spelled] : named) names.push_back(spelled);
    table_.choice(name, text_of(Options{}.*member), std::move(names), help);
    return bind(
        name,
        [=](const OptionValues& v, Options& o) {
          for (const auto& [known, spelled] : named)
            if (spelled == v.text(name)) o.*member = known;
        },
        [=](const Options& o) { return text_of(o.*member); });
  }

  OptionBinding& text(std::string Options::*member, const std::string& name,
                      const std::string& help) {
    table_.text(name, Options{}.*member, help);
    return bind(
        name, [=](const OptionValues& v, Options& o) { o.*member = v.text(name); },
        [=](const Options& o) { return o.*member; });
  }

  // A member with a text of its own, such as "0.2;0.8" for two numbers. `read` throws on a text
  // that it cannot read, `write` is its inverse. A member of numbers also takes those that were
  // given as such (OptionValues::give).
  template <class Value, class Read, class Write>
  OptionBinding& value(Value Options::*member, const std::string& name, const std::string& help,
                       Read read, Write write) {
    table_.text(name, write(Options{}.*member), help);
    return bind(
        name,
        [=](const OptionValues& v, Options& o) {
          if constexpr (std::is_same_v<Value, std::vector<double>>) {
            if (const auto* given = v.numbers(name)) {
              o.*member = *given;
              return;
            }
          }
          o.*member = read(v.text(name));
        },
        [=](const Options& o) { return write(o.*member); });
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

  const std::string& owner() const { return owner_; }
  const OptionTable& table() const { return table_; }

  Options from(const OptionValues& values) const {
    Options options;
    for (const Bound& option : bound_) option.read(values, options);
    return options;
  }

  // "name=value,…" of all members, which parse() reads back.
  std::string echo(const Options& options) const {
    std::string all;
    for (const Bound& option : bound_)
      all += (all.empty() ? "" : ",") + option.name + "=" + option.write(options);
    return all;
  }

  Options parse(std::string_view assignments) const {
    return from(table_.parse(assignments, owner_));
  }

  // Throws ErrorCode::usage naming option, value and rule.
  void validate(const Options& options) const {
    for (const Bound& option : bound_)
      table_.parse(option.name + "=" + option.write(options), owner_);
    for (const auto& check : rules_) check(options);
  }

 private:
  struct Bound {
    std::string name;
    std::function<void(const OptionValues&, Options&)> read;
    std::function<std::string(const Options&)> write;
  };

  OptionBinding& bind(std::string name, std::function<void(const OptionValues&, Options&)> read,
                      std::function<std::string(const Options&)> write) {
    bound_.push_back({std::move(name), std::move(read), std::move(write)});
    return *this;
  }

  std::string owner_;
  OptionTable table_;
  std::vector<Bound> bound_;
  std::vector<std::function<void(const Options&)>> rules_;
};

}  // namespace gssl
