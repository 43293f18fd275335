#include "files.hpp"

#include <iterator>

#include "../readers.hpp"
#include "../xml.hpp"

namespace denoc::io::mjcf {
namespace fs = std::filesystem;
namespace {

// In MJCF attributes say all.
void doubt_texts(const Tag& tag) {
  tag.element().doubt_text();
  for (const auto* xml = tag.xml->FirstChildElement(); xml != nullptr; xml = xml->NextSiblingElement())
    doubt_texts({xml, tag.report});
}

}  // namespace

Files::Files(const fs::path& main, Report& report) : directory_(main.parent_path()), report_(report) {
  seen_.insert(fs::absolute(main).lexically_normal());
}
Files::~Files() {
  for (Document& file : included_) {
    for (std::vector<Fault> Report::*found : {&Report::faults, &Report::warnings, &Report::notes})
      std::move((file.report.*found).begin(), (file.report.*found).end(), std::back_inserter(report_.*found));
  }
}

Tag Files::parse(const std::string& text) { return parse(text, main_, report_); }
Tag Files::parse(const std::string& text, tinyxml2::XMLDocument& xml, Report& report) {
  const Tag root{parse_xml(text, xml, report), &report};
  if (root.xml != nullptr) doubt_texts(root);
  return root;
}

std::vector<Tag> Files::children(const Tag& parent) {
  std::vector<Tag> all;
  add_children(parent, all);
  return all;
}
std::vector<Tag> Files::children(const Tag& parent, std::string_view kind) {
  std::vector<Tag> some = children(parent);
  std::erase_if(some, [&](const Tag& tag) { return tag.kind() != kind; });
  return some;
}

void Files::add_children(const Tag& parent, std::vector<Tag>& all) {
  for (const auto* xml = parent.xml->FirstChildElement(); xml != nullptr; xml = xml->NextSiblingElement()) {
    const Tag tag{xml, parent.report};
    if (tag.kind() != "include") {
      all.push_back(tag);
      continue;
    }
    const auto [known, is_new] = by_tag_.try_emplace(xml, nullptr);
    if (is_new) known->second = include(tag);
    if (known->second != nullptr) add_children(known->second->root, all);
  }
}

Files::Document* Files::include(const Tag& tag) {
  const Element element = tag.element();
  element.only_attributes({"file", "prefix"});
  if (element.has("prefix")) element.refuse("prefix: names with a prefix are not read; write them out");
  const std::string name = element.required("file");
  if (name.empty()) return nullptr;
  // Beside the main file, or else beside the one that includes it.
  fs::path file = directory_ / name;
  std::error_code none;
  if (const fs::path beside = fs::path(tag.report->file).parent_path() / name;
      !fs::exists(file, none) && fs::exists(beside, none))
    file = beside;
  if (!seen_.insert(fs::absolute(file).lexically_normal()).second) {
    element.refuse(fmt::format("{} is included twice: a file is included once, and never by itself", in_quotes(name)));
    return nullptr;
  }
  included_.emplace_back();
  Document& document = included_.back();
  document.report.file = file.string();
  const auto text = read_text(file, document.report);
  if (!text) {
    element.refuse(fmt::format("{} cannot be included: {}", in_quotes(name), document.report.faults.front().rule));
    document.report.faults.clear();
    return nullptr;
  }
  document.root = parse(*text, document.xml, document.report);
  return document.root.xml != nullptr ? &document : nullptr;
}

std::string Files::whole() {
  if (included_.empty() || main_.RootElement() == nullptr) return "";
  expand(*main_.RootElement());
  tinyxml2::XMLPrinter printer;
  main_.Print(&printer);
  return printer.CStr();
}
void Files::expand(tinyxml2::XMLElement& parent) {
  for (tinyxml2::XMLElement *child = parent.FirstChildElement(), *next = nullptr; child != nullptr; child = next) {
    next = child->NextSiblingElement();
    const auto included = by_tag_.find(child);
    if (included == by_tag_.end() || included->second == nullptr) {
      expand(*child);
      continue;
    }
    tinyxml2::XMLElement& root = *included->second->xml.RootElement();
    expand(root);
    tinyxml2::XMLNode* last = child;
    for (const tinyxml2::XMLNode* each = root.FirstChild(); each != nullptr; each = each->NextSibling())
      last = parent.InsertAfterChild(last, each->DeepClone(parent.GetDocument()));
    parent.DeleteChild(child);
  }
}

}  // namespace denoc::io::mjcf
