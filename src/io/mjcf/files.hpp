// The files of one robot: the main one and those it includes, whose elements stand where <include> does.
#pragma once
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tag.hpp"

namespace denoc::io::mjcf {

class Files {
 public:
  // What is found in included files is added to `report` at the end of this one's life.
  Files(const std::filesystem::path& main, Report& report);
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files();

  // Where file names begin: beside the main file.
  const std::filesystem::path& directory() const { return directory_; }
  // The root of the main file; its xml is null if that is no XML.
  Tag parse(const std::string& text);
  // Each file may be included once, which leaves no way to go round in circles.
  std::vector<Tag> children(const Tag& parent);
  std::vector<Tag> children(const Tag& parent, std::string_view kind);
  // The main file with the elements of included ones where it includes them; empty if it includes none. To be asked last:
  // no tag stands after it.
  std::string whole();

 private:
  struct Document {
    tinyxml2::XMLDocument xml;
    Report report;
    Tag root;
  };
  void add_children(const Tag& parent, std::vector<Tag>& all);
  // Null: it cannot be included, which is reported.
  Document* include(const Tag& tag);
  void expand(tinyxml2::XMLElement& parent);
  // The root, whatever stands as text in it doubted; without xml if it is at fault.
  static Tag parse(const std::string& text, tinyxml2::XMLDocument& xml, Report& report);

  std::filesystem::path directory_;
  Report& report_;
  tinyxml2::XMLDocument main_;
  std::deque<Document> included_;
  std::map<const tinyxml2::XMLElement*, Document*> by_tag_;  // children may be asked for more than once
  std::set<std::filesystem::path> seen_;
};

}  // namespace denoc::io::mjcf
