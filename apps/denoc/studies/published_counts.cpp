#include "studies/published_counts.hpp"

namespace denoc::app {
namespace {

constexpr PublishedCount all[] = {
    {"inverse", "denoc", "Shah13 Table 4", {-81, 94}, {-75, 82}},
    {"inverse", "denoc", "Balafoutis and Patel [Angeles7 Table 7.3]", {-69, 93}, {-65, 81}},
    {"inverse", "denoc", "Li and Sankar, the lowest [Angeles7 Table 7.3]", {-69, 88}, {-66, 76}},
    {"inverse", "newton-euler", "Angeles7 (7.43), Tables 7.1 and 7.2", {-22, 137}, {-14, 110}},
    {"inverse", "newton-euler", "Luh et al. [Angeles7 Table 7.3]", {-48, 150}, {-48, 131}},
    {"inverse", "newton-euler", "Khalil et al. [Angeles7 Table 7.3]", {-92, 105}, {-86, 94}},
    {"inverse", "gibbs-appell", "Mata02 Table 1", {-101, 96}, {-100, 84}},
    {"inverse", "kane", "Angeles et al. [Angeles7 Table 7.3]", {-109, 105}, {-105, 90}},
    {"inverse", "kane", "Kane and Levinson [Angeles7 Table 7.4]", {646}, {394}, 6},
    {"inverse", "euler-lagrange", "Hollerbach [Angeles7 Table 7.3]", {-277, 412}, {-201, 320}},
    {"bias", "denoc", "Mata02 Table 3", {-108, 96}, {-105, 83}},
    {"inertia", "composite", "Walker and Orin [Mata02 Table 2]", {-27, 56, 12}, {-56, 67, 7}},
    {"inertia", "gibbs-appell", "Mata02 Table 2", {-49, 19.5, 11.5}, {-69, 31.5, 8.5}},
    {"inertia", "noc", "Angeles and Ma [Mata02 Table 2]", {8, -21, 17, 1}, {5, -16, 14, 1}},
    {phi_given, "denoc", "Shah13 Table 4", {-116, 135}, {-123, 131}},
    {phi_given, "denoc", "Mohan07 Table 1, slender links", {-128, 173}, {-133, 150}},
    {phi_given, "denoc", "Saha97 Table I", {-335, 201}, {-361, 193}},
    {phi_given, "denoc", "Featherstone [Saha97 Table I]", {-198, 199}, {-173, 174}},
    {phi_given,
     "denoc",
     "Walker and Orin, O(n^3) [Mohan07 Table 1]",
     {-47, 115. / 3, 11.5, 1. / 6},
     {-46, 233. / 6, 7, 1. / 6}},
    {"forward", "articulated-body", "Featherstone [Mata02 Table 4]", {1533}, {1415}, 6},
    {"forward", "composite-cholesky", "Walker and Orin [Mata02 Table 4]", {1627}, {1261}, 6},
    {"forward", "gibbs-appell-cholesky", "Mata02 Table 3", {-157, 695. / 6, 13, 1. / 6}, {-174, 683. / 6, 10, 1. / 6}},
    {"forward", "noc-cholesky", "Angeles and Ma [Mata02 Table 4]", {1353}, {1165}, 6},
};

}  // namespace

std::span<const PublishedCount> published_counts() { return all; }

}  // namespace denoc::app
