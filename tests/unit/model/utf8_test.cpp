// The tables of Unicode 15, section 3.9 (well-formed UTF-8) and 23.7 (noncharacters), as laws over all numbers.
#include "denoc/model/utf8.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace denoc {
namespace {
namespace THIS_FILE {

// Any number in so many bytes, sense or not.
std::string encoded(unsigned code, int bytes) {
  if (bytes == 1) return std::string(1, static_cast<char>(code));
  std::string text;
  for (int i = 0; i < bytes - 1; ++i, code >>= 6) text.insert(0, 1, static_cast<char>(0x80u | (code & 0x3Fu)));
  const unsigned mark = bytes == 2 ? 0xC0u : bytes == 3 ? 0xE0u : 0xF0u;
  return static_cast<char>(mark | code) + text;
}
int shortest(unsigned code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

TEST(Utf8, EveryNumberHasOneSpellingAndSurrogatesHaveNone) {
  for (unsigned code = 0; code < 0x200000; ++code) {
    const bool is_character = code < 0x110000 && !(code >= 0xD800 && code < 0xE000);
    for (int bytes = shortest(code); bytes <= 4; ++bytes) {
      const bool is_spelling = is_character && bytes == shortest(code);
      const std::string text = encoded(code, bytes);
      ASSERT_EQ(utf8_character(text + "x"), is_spelling ? text.size() : 0) << code << " in " << bytes;
      ASSERT_EQ(utf8_character(text.substr(0, text.size() - 1)), 0u) << code << " cut";
    }
  }
  for (const char* none : {"", "\x80", "\xBF", "\xFE", "\xFF", "\xC3(", "\xE2\x82(", "\xF0\x9F\x98("})
    EXPECT_EQ(utf8_character(none), 0u);
}

TEST(Utf8, TextIsWhatXmlAndHtmlMayHave) {
  int none = 0;
  for (unsigned code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    none += begins_with_text(encoded(code, shortest(code))) ? 0 : 1;
  }
  EXPECT_EQ(none, 32 - 3 + 33 + 32 + 2 * 17) << "controls but three, DEL and C1, U+FDD0 to U+FDEF, two of each plane";
  for (const char* text : {"a", "\t", "\n", "\r", "\xC3\xA4", "\xEF\xBF\xBD", "\xF0\x9F\xA6\xBE"})
    EXPECT_TRUE(begins_with_text(text)) << text;
  for (const char* text : {"", "\x01", "\x7F", "\xC2\x85", "\xEF\xBF\xBE", "\xEF\xB7\x90", "\xF4\x8F\xBF\xBF", "\xE4"})
    EXPECT_FALSE(begins_with_text(text)) << text;
}

TEST(Utf8, NamesAreTextOnOneLine) {
  for (const char* name : {"", "arm", "linker Arm \xC3\xA4\xC3\xB6", "\xE8\x87\x82", "=1+1", "a<b>&\"'"})
    EXPECT_EQ(fault_of_name(name), "") << name;
  const std::pair<const char*, const char*> faults[] = {
      {"a\nb", "its name has the control character U+000A"},
      {"bell\x07", "its name has the control character U+0007"},
      {"\xC2\x9B", "its name has the control character U+009B"},
      {"Gr\xF6\xDF"
       "e",
       "its name is not UTF-8: there is the byte 0xF6"},
      {"\xED\xA0\xBD", "its name is not UTF-8: there is the byte 0xED"},
      {"x\xEF\xBF\xBE", "its name has U+FFFE, which is no character"}};
  for (const auto& [name, rule] : faults) EXPECT_EQ(fault_of_name(name), rule);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
