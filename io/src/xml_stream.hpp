#pragma once
// XML as it streams by: the start, text and end of each element, never the whole tree. By Expat.
//
//   class Reader : public XmlHandler { … };
//   stream_xml(source, run, reader);
//
// Names come without their prefix ("node" for "g:node"). Entity declarations are refused, and
// elements deeper than 64.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "graph_formats.hpp"

namespace gssl::detail {

// The attributes of one element.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}  // ended by a null
  std::optional<std::string_view> find(std::string_view name) const;
  // Throws ErrorCode::bad_data "FILE:LINE: a <ELEMENT> without NAME …" if it is not there.
  std::string_view required(std::string_view name, std::string_view element,
                            const std::string& file, std::int64_t line) const;

 private:
  const char** pairs_;
};

class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  // May throw; `line` is that of the tag.
  virtual void begin(std::string_view element, const XmlAttributes& attributes,
                     std::int64_t line) = 0;
  virtual void text(std::string_view piece) = 0;
  virtual void end(std::string_view element, std::int64_t line) = 0;
};

// Returns the number of lines. Throws ErrorCode::bad_data "FILE:LINE: …" where the text is no XML,
// and what the handler throws.
std::int64_t stream_xml(const TextSource& source, const RunContext& run, XmlHandler& handler);

}  // namespace gssl::detail
