#include "output/figures/text.hpp"

#include <random>

#include "denoc/model/utf8.hpp"
#include "unit/figures/markup.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

// Whatever a file or a name holds, what stands in a page is UTF-8 that XML and HTML may have, and says the same.
TEST(EscapedText, IsWellFormedWhateverItIs) {
  std::mt19937 random(3);
  constexpr std::string_view pieces[] = {
      "<", ">", "&", "\"", "'", "]]>", "<!--", "&amp;", "a", "\xC3\xA4", "\xF0\x9F\xA6\xBE"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int n = 0; n < 12; ++n) {
      const unsigned draw = random();
      if (draw % 3 == 0)
        text += pieces[draw / 3 % std::size(pieces)];
      else
        text += static_cast<char>(1 + draw / 3 % 255);
    }
    const std::string shown = escaped(text);
    for (std::string_view rest = shown; !rest.empty(); rest.remove_prefix(utf8_character(rest)))
      ASSERT_TRUE(begins_with_text(rest)) << i;
    expect_well_formed("<p title='" + shown + "'>" + shown + "</p>");
  }
}

TEST(EscapedText, SaysTheSame) {
  const std::string text = "a < b & \"c\" 'd' > \xC3\xA4";
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(("<p title='" + escaped(text) + "'/>").c_str()), tinyxml2::XML_SUCCESS);
  EXPECT_EQ(document.RootElement()->Attribute("title"), text);
  EXPECT_EQ(escaped("Gr\xF6\xDF"
                    "e\x07"),
            "Gr\uFFFD\uFFFDe\uFFFD");
}

// A letter is as wide as its like, however many bytes it has.
TEST(TextWidth, CountsLettersNotBytes) {
  EXPECT_EQ(width_of("Gr\xC3\xB6\xC3\x9F"
                     "e",
                     12),
            width_of("Grose", 12));
  EXPECT_EQ(width_of("Grose", 24), 2 * width_of("Grose", 12)) << "as wide as the letters are large";
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
