#include "studies/published_counts.hpp"

#include <fmt/format.h>

namespace denoc::app {
namespace {

// "outward" and "inward" are the two recursions of inverse dynamics; "complement", "product", "decomposition" and
// "triangles" are steps of forward dynamics.
constexpr PublishedCount every_count[] = {
    {"inverse", "denoc", "", "Shah13 Table 4", {{-81, 94}}, {{-75, 82}}},
    {"inverse", "denoc", "Balafoutis and Patel", "Angeles7 Table 7.3, Shah13 Table 4", {{-69, 93}}, {{-65, 81}}},
    {"inverse", "denoc", "Balafoutis and Patel", "Mata02 Table 1", {{-69, 93}}, {{-66, 81}}},
    {"inverse", "denoc", "Balafoutis and Patel", "Angeles7 Table 7.4", {{489}}, {{420}}, 6},
    {"inverse",
     "denoc",
     "Li and Sankar, the lowest",
     "Angeles7 Table 7.3, Angeles7 Table 7.4",
     {{-69, 88}},
     {{-66, 76}}},
    {"outward", "newton-euler", "", "Angeles7 Table 7.1", {{0, 82}}, {{0, 66}}},
    {"inward", "newton-euler", "", "Angeles7 Table 7.2", {{-22, 55}}, {{-14, 44}}},
    {"inverse", "newton-euler", "", "Angeles7 (7.43), Angeles7 (7.116)", {{-22, 137}}, {{-14, 110}}},
    {"inverse",
     "newton-euler",
     "Luh and others",
     "Angeles7 Table 7.3, Angeles7 Table 7.4, Mata02 Table 1",
     {{-48, 150}},
     {{-48, 131}}},
    {"inverse",
     "newton-euler",
     "Walker and Orin",
     "Angeles7 Table 7.3, Angeles7 Table 7.4",
     {{-22, 137}},
     {{-11, 101}}},
    {"inverse", "newton-euler", "Hollerbach and Sahar", "Angeles7 Table 7.4", {{688}}, {{558}}, 6},
    {"inverse",
     "newton-euler",
     "Khalil and others",
     "Angeles7 Table 7.3, Angeles7 Table 7.4",
     {{-92, 105}},
     {{-86, 94}}},
    {"inverse", "gibbs-appell", "", "Mata02 Table 1", {{-101, 96}}, {{-100, 84}}},
    {"inverse",
     "kane",
     "Angeles and others",
     "Angeles7 Table 7.3, Angeles7 Table 7.4, Mata02 Table 1",
     {{-109, 105}},
     {{-105, 90}}},
    {"inverse", "kane", "Kane and Levinson", "Angeles7 Table 7.4", {{646}}, {{394}}, 6},
    {"inverse", "euler-lagrange", "Hollerbach", "Angeles7 Table 7.3, Angeles7 Table 7.4", {{-277, 412}}, {{-201, 320}}},
    {"bias", "denoc", "", "Mata02 Table 3", {{-108, 96}}, {{-105, 83}}},
    {"inertia", "composite", "Walker and Orin", "Mata02 Table 2", {{-27, 56, 12}}, {{-56, 67, 7}}},
    {"inertia", "gibbs-appell", "", "Mata02 Table 2, Mata02 Table 3", {{-49, 19.5, 11.5}}, {{-69, 31.5, 8.5}}},
    {"inertia", "noc", "Angeles and Ma", "Mata02 Table 2", {{8, -21, 17, 1}}, {{5, -16, 14, 1}}},
    {"complement", "noc", "", "Angeles7 (7.112)", {{0, -15, 17}}, {{0, -10, 10}}},
    {"product", "noc", "", "Angeles7 (7.113)", {{0, 3, 3}}, {{0, 2.5, 2.5}}},
    {"decomposition",
     "noc-cholesky",
     "",
     "Angeles7 (7.114), Mata02 Table 3",
     {{0, 1. / 3, 0.5, 1. / 6}},
     {{0, 1. / 3, 0.5, 1. / 6}}},
    {"triangles", "noc-cholesky", "", "Angeles7 (7.115), Mata02 Table 3", {{0, 0, 1}}, {{0, -1, 1}}},
    {phi_given, "denoc", "", "Shah13 Table 4", {{-116, 135}}, {{-123, 131}}},
    {phi_given,
     "denoc",
     "Mohan and Saha, slender links",
     "Mohan07 Table 1, Shah13 Table 4",
     {{-128, 173}},
     {{-133, 150}}},
    {phi_given, "denoc", "", "Saha97 Table I", {{-335, 201}}, {{-361, 193}}},
    {phi_given, "denoc", "Saha [17]", "Mohan07 Table 1", {{-284, 191}}, {{-325, 187}}},
    {phi_given,
     "denoc",
     "Featherstone",
     "Saha97 Table I, Mohan07 Table 1, Shah13 Table 4",
     {{-198, 199}},
     {{-173, 174}}},
    {phi_given, "denoc", "Valasek", "Mohan07 Table 1", {{-343, 226}}, {{-345, 206}}},
    {phi_given, "denoc", "Brandl and others", "Mohan07 Table 1", {{-222, 250}}, {{-198, 220}}},
    {phi_given,
     "denoc",
     "Walker and Orin, O(n^3)",
     "Mohan07 Table 1",
     {{-47, 115. / 3, 11.5, 1. / 6}},
     {{-46, 233. / 6, 7, 1. / 6}}},
    {phi_given,
     "denoc",
     "Walker and Orin, O(n^3)",
     "Saha97 Table I",
     {{-47, 115. / 3, 11.5, 1. / 6}},
     {{-46, 116. / 3, 7, 1. / 6}}},
    {phi_given,
     "denoc",
     "Lilly and Orin, O(n^3)",
     "Shah13 Table 4",
     {{-51, 121. / 3, 11.5, 1. / 6}},
     {{-51, 305. / 6, 7, 1. / 6}}},
    {"forward", "articulated-body", "Featherstone", "Angeles7 7.6", {{-267, 300}}, {{-259, 279}}},
    {"forward", "articulated-body", "Featherstone", "Mata02 Table 4", {{1533}}, {{1415}}, 6},
    {"forward", "composite-cholesky", "Walker and Orin", "Mata02 Table 4", {{1627}}, {{1261}}, 6},
    {"forward",
     "gibbs-appell-cholesky",
     "",
     "Mata02 Table 3, Mata02 Table 4",
     {{-157, 695. / 6, 13, 1. / 6}},
     {{-174, 683. / 6, 10, 1. / 6}}},
    {"forward",
     "noc-cholesky",
     "",
     "Angeles7 (7.117)",
     {{-22, 367. / 3, 18.5, 1. / 6}},
     {{-14, 298. / 3, 11.5, 1. / 6}}},
    {"forward", "noc-cholesky", "", "Angeles7 (7.118)", {{1450}}, {{1068}}, 6},
    {"forward", "noc-cholesky", "Angeles and Ma", "Mata02 Table 4, Angeles7 7.6", {{1353}}, {{1165}}, 6},
    {"forward", "noc-cholesky", "Angeles and Ma, before that", "Angeles7 7.6", {{1596}}, {{1263}}, 6},
    {"forward", "composite-cholesky", "Li, O(n^2)", "Angeles7 7.6", {{783}}, {{670}}, 6},
};

}  // namespace

bool PublishedCount::is_in(std::string_view table) const {
  for (std::size_t from = 0; from < tables.size();) {
    const std::size_t end = std::min(tables.find(", ", from), tables.size());
    if (tables.substr(from, end - from) == table) return true;
    from = end + 2;
  }
  return false;
}
std::string PublishedCount::where() const {
  return who.empty() ? std::string(tables) : fmt::format("{} [{}]", who, tables);
}

std::span<const PublishedCount> published_counts() { return every_count; }

}  // namespace denoc::app
