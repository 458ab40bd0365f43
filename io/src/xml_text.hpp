#pragma once
// Text of XML and of GML, which borrowed its entities: written with the five characters that mean
// something as entities, and read back.

#include <string>
#include <string_view>

namespace gssl::detail {

// Appends `text`, fit for an attribute in double quotes. What cannot stand in XML 1.0, control
// characters and bytes that are no UTF-8, becomes U+FFFD; returns how many did.
std::size_t append_xml_text(std::string_view text, std::string& out);

// `text` with &amp; &lt; &gt; &quot; &apos; and &#123; &#x7B; in place of what they stand for; what
// is no entity stays.
std::string decoded_text(std::string_view text);

}  // namespace gssl::detail
