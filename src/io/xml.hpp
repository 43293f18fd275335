// A document of XML, before anybody asks what its elements mean.
#pragma once
#include <tinyxml2.h>

#include <string>

#include "denoc/io/report.hpp"

namespace denoc::io {

// The one root element of the text, which lives as long as the document; null if it is no XML, which is reported.
const tinyxml2::XMLElement* parse_xml(const std::string& text, tinyxml2::XMLDocument& document, Report& report);

}  // namespace denoc::io
