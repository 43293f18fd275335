// UTF-8, and what a name may be made of: whatever is called by it stands in XML, HTML, JSON, CSV and on terminals.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace denoc {

/// The length in bytes of the character that the text begins with; 0 if it begins with none of UTF-8 (surrogates,
/// longer spellings than needed and what lies beyond Unicode are none).
std::size_t utf8_character(std::string_view text);

/// Whether files of XML and HTML may have it: it begins with a character, neither a control character (but tabs and
/// ends of lines) nor one of those that Unicode never assigns.
bool begins_with_text(std::string_view text);

/// Why the text is no name: "its name is not UTF-8, ..."; empty if it is one. A name is text without tabs and ends of
/// lines.
std::string fault_of_name(std::string_view name);

}  // namespace denoc
