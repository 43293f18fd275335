// Operation counts as the documents print them, for chains of n revolute joints.
#pragma once
#include "studies/reproduce/counts.hpp"

namespace denoc::app::published {

// The composite-rigid-body method of Walker and Orin with the solution of the system [Saha97 Table I, Mohan07 Table 1].
inline const NamedCost walker_orin{"Walker and Orin, O(n^3)",
                                   {{{-47, 115. / 3, 23. / 2, 1. / 6}}, {{-46, 233. / 6, 7, 1. / 6}}}};
inline const NamedCost featherstone{"Featherstone, O(n)", {{{-198, 199}}, {{-173, 174}}}};
inline const NamedCost saha97{"Saha97 Table I", {{{-335, 201}}, {{-361, 193}}}};
inline const NamedCost mohan07{"Mohan07 Table 1", {{{-128, 173}}, {{-133, 150}}}};
inline const NamedCost shah13{"Shah13 Table 4", {{{-116, 135}}, {{-123, 131}}}};

}  // namespace denoc::app::published
