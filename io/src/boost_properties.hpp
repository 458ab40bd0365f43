#pragma once
// Attributes of vertices and edges as the writers of the Boost Graph Library take them, with text of
// our own: Boost would print numbers with six digits.
//
//   boost::dynamic_properties properties;
//   add_property<VertexId>(properties, "name", typeid(std::string), [&](VertexId v) { … });

#include <boost/any.hpp>
#include <boost/make_shared.hpp>
#include <boost/property_map/dynamic_property_map.hpp>
#include <string>
#include <typeinfo>
#include <utility>

namespace gssl::detail {

template <class Key, class Text>
class TextProperty final : public boost::dynamic_property_map {
 public:
  TextProperty(const std::type_info& value, Text text) : value_(value), text_(std::move(text)) {}

  boost::any get(const boost::any& key) override { return get_string(key); }
  std::string get_string(const boost::any& key) override {
    return text_(boost::any_cast<Key>(key));
  }
  void put(const boost::any&, const boost::any&) override {
    throw boost::dynamic_const_put_error();
  }
  const std::type_info& key() const override { return typeid(Key); }
  const std::type_info& value() const override { return value_; }

 private:
  const std::type_info& value_;
  Text text_;
};

// text(key) is what is written; `value` is the type that is said of it.
template <class Key, class Text>
void add_property(boost::dynamic_properties& properties, const std::string& name,
                  const std::type_info& value, Text text) {
  properties.insert(name, boost::make_shared<TextProperty<Key, Text>>(value, std::move(text)));
}

}  // namespace gssl::detail
