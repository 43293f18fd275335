// Colours and dashes that differ for every eye and in grey print.
#pragma once
#include <string>
#include <string_view>

namespace denoc::figures {

// Ten of each; the colours are those of Okabe & Ito and of Tol that show on white.
inline constexpr int palette_size = 10;
std::string_view colour(std::size_t k);
std::string_view dash(std::size_t k);  // as stroke-dasharray says it; empty: solid

// A ramp from violet by blue and green to ochre, which shows on white and on black: part 0 to 1.
std::string ramp(double part);

}  // namespace denoc::figures
