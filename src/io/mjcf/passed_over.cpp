#include "passed_over.hpp"

namespace denoc::io::mjcf {

void PassedOver::note(const Tag& tag, const std::string& kind, const std::string& remark) {
  ++kinds_.try_emplace(kind, Kind{tag, remark}).first->second.count;
}

void PassedOver::say() const {
  for (const auto& [kind, found] : kinds_)
    found.first.report->note(found.first.line(), kind, fmt::format("passed over ({}): {}", found.count, found.remark));
}

}  // namespace denoc::io::mjcf
