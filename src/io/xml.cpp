#include "xml.hpp"

#include <fmt/format.h>

#include "attributes.hpp"

namespace denoc::io {
namespace {

// tinyxml2's names of errors, in words.
std::string syntax_rule(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  switch (error) {
    case XML_ERROR_PARSING_ELEMENT:
      return "not XML: an element is malformed";
    case XML_ERROR_PARSING_ATTRIBUTE:
      return "not XML: an attribute is malformed, or given twice";
    case XML_ERROR_PARSING_TEXT:
      return "not XML: text outside of all elements, or not ended";
    case XML_ERROR_PARSING_CDATA:
      return "not XML: a CDATA section is not ended";
    case XML_ERROR_PARSING_COMMENT:
      return "not XML: a comment is not ended";
    case XML_ERROR_PARSING_DECLARATION:
      return "not XML: a declaration <?...?> is malformed or stands too late";
    case XML_ERROR_PARSING_UNKNOWN:
      return "not XML: <!...> is not ended";
    case XML_ERROR_EMPTY_DOCUMENT:
      return "there is nothing in the file";
    case XML_ERROR_MISMATCHED_ELEMENT:
      return "not XML: the closing tag does not match the opening one";
    case XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply";
    default:
      return "not XML: an element is not closed";
  }
}

// What XML allows around its one root element: comments and declarations.
void check_document(const tinyxml2::XMLDocument& document, Report& report) {
  const tinyxml2::XMLElement* root = document.RootElement();
  for (const auto* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToText() != nullptr)
      report.fault(node->GetLineNum(), "",
                   fmt::format("text outside of the root element: {}", in_quotes(node->Value())));
    if (node->ToElement() != nullptr && node != root)
      report.fault(node->GetLineNum(), "", fmt::format("a second root element <{}>", node->Value()));
  }
  if (root == nullptr) report.fault(1, "", "there is no element in the file");
}

}  // namespace

const tinyxml2::XMLElement* parse_xml(const std::string& text, tinyxml2::XMLDocument& document, Report& report) {
  const std::size_t faults_before = report.faults.size();
  const auto is_sound = [&] { return report.faults.size() == faults_before; };
  check_attributes(text, report);
  if (!is_sound()) return nullptr;
  document.Parse(text.data(), text.size());
  if (document.Error()) {
    report.fault(document.ErrorLineNum(), "", syntax_rule(document.ErrorID()));
    return nullptr;
  }
  check_document(document, report);
  return is_sound() ? document.RootElement() : nullptr;
}

}  // namespace denoc::io
