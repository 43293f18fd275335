// What the tests of figures and pages ask of a text.
#pragma once
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <string>
#include <string_view>

namespace denoc::figures {

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline void expect_well_formed(const std::string& text) {
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(text.c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
}

}  // namespace denoc::figures
