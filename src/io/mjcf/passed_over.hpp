// What a file has and no equation of motion takes: said once for each kind, with how many there are.
#pragma once
#include <map>

#include "tag.hpp"

namespace denoc::io::mjcf {

class PassedOver {
 public:
  // Notes one of that kind; `remark` is what that means for the motion.
  void note(const Tag& tag, const std::string& kind, const std::string& remark);
  // One warning for each kind, where the first of it stands.
  void say() const;

 private:
  struct Kind {
    Tag first;
    std::string remark;
    int count = 0;
  };
  std::map<std::string, Kind> kinds_;
};

}  // namespace denoc::io::mjcf
