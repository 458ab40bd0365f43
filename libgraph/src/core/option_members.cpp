#include "gssl/core/option_members.hpp"

#include <optional>

#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

template <class Member>
const Member& at(const void* member) {
  return *static_cast<const Member*>(member);
}

template <class Member>
Member& at(void* member) {
  return *static_cast<Member*>(member);
}

const void* within(const void* options, std::size_t place) {
  return static_cast<const std::byte*>(options) + place;
}

std::string name_of(const std::vector<std::pair<std::int64_t, std::string>>& named,
                    std::int64_t asked) {
  for (const auto& [known, spelled] : named)
    if (known == asked) return spelled;
  return "an unknown value";
}

}  // namespace

std::string OptionMembers::Bound::text(const void* options) const {
  return write(within(options, place));
}

void OptionMembers::real(std::size_t place, const void* defaults, const std::string& name,
                         RealRange range, const std::string& help) {
  table_.real(name, at<double>(within(defaults, place)), range, help);
  bound_.push_back({name, place,
                    [name](const OptionValues& v, void* m) { at<double>(m) = v.real(name); },
                    [](const void* m) { return to_text(at<double>(m)); }});
}

void OptionMembers::real_or_none(std::size_t place, const std::string& name, double shown,
                                 RealRange range, const std::string& help) {
  table_.real(name, shown, range, help);
  bound_.push_back(
      {name, place,
       [name](const OptionValues& v, void* m) {
         if (v.given(name)) at<std::optional<double>>(m) = v.real(name);
       },
       [shown](const void* m) { return to_text(at<std::optional<double>>(m).value_or(shown)); }});
}

void OptionMembers::integer(std::size_t place, const void* defaults, WholeAccess access,
                            const std::string& name, IntegerRange range, const std::string& help) {
  table_.integer(name, access.get(within(defaults, place)), range, help);
  bound_.push_back(
      {name, place,
       [name, access](const OptionValues& v, void* m) { access.set(m, v.integer(name)); },
       [access](const void* m) { return std::to_string(access.get(m)); }});
}

void OptionMembers::flag(std::size_t place, const void* defaults, const std::string& name,
                         const std::string& help) {
  table_.flag(name, at<bool>(within(defaults, place)), help);
  bound_.push_back({name, place,
                    [name](const OptionValues& v, void* m) { at<bool>(m) = v.flag(name); },
                    [](const void* m) { return std::string(at<bool>(m) ? "true" : "false"); }});
}

void OptionMembers::choice(std::size_t place, const void* defaults, WholeAccess access,
                           const std::string& name,
                           const std::vector<std::pair<std::int64_t, std::string>>& named,
                           const std::string& help) {
  std::vector<std::string> names;
  names.reserve(named.size());
  for (const auto& [known, spelled] : named) names.push_back(spelled);
  table_.choice(name, name_of(named, access.get(within(defaults, place))), std::move(names), help);
  bound_.push_back({name, place,
                    [name, access, named](const OptionValues& v, void* m) {
                      for (const auto& [known, spelled] : named)
                        if (spelled == v.text(name)) access.set(m, known);
                    },
                    [access, named](const void* m) { return name_of(named, access.get(m)); }});
}

void OptionMembers::text(std::size_t place, const void* defaults, const std::string& name,
                         const std::string& help) {
  table_.text(name, at<std::string>(within(defaults, place)), help);
  bound_.push_back({name, place,
                    [name](const OptionValues& v, void* m) { at<std::string>(m) = v.text(name); },
                    [](const void* m) { return at<std::string>(m); }});
}

void OptionMembers::value(std::size_t place, const void* defaults, const std::string& name,
                          const std::string& help, Read read, Write write) {
  table_.text(name, write(within(defaults, place)), help);
  bound_.push_back({name, place, std::move(read), std::move(write)});
}

void OptionMembers::read(const OptionValues& values, void* options) const {
  for (const Bound& option : bound_)
    option.read(values, static_cast<std::byte*>(options) + option.place);
}

std::string OptionMembers::echo(const void* options) const {
  std::string all;
  for (const Bound& option : bound_)
    all += (all.empty() ? "" : ",") + option.name + "=" + option.text(options);
  return all;
}

void OptionMembers::validate(const void* options) const {
  for (const Bound& option : bound_) table_.parse(option.name + "=" + option.text(options), owner_);
}

}  // namespace gssl::detail
