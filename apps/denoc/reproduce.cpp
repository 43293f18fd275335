// denoc reproduce: tables and figures of the documents, computed anew, as Markdown with SVG plots.
#include <algorithm>
#include <deque>

#include "commands.hpp"
#include "denoc/io/draft.hpp"
#include "denoc/io/report.hpp"
#include "interrupt.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "reproduce/documents.hpp"

namespace denoc::app {
namespace {

constexpr std::string_view every_document = "all";

std::vector<Document> chosen(const std::string& key) {
  if (key == every_document) return {documents.begin(), documents.end()};
  io::Words keys = {every_document};
  for (const Document& document : documents) {
    if (document.key == key) return {document};
    keys.push_back(document.key);
  }
  throw Failure(Status::usage, fmt::format("denoc reproduce: {}", io::unknown("document", key, keys)));
}

}  // namespace

Status reproduce(const ReproduceOptions& options, Session& session) {
  const std::vector<Document> wanted = chosen(options.document);
  catch_interrupts();
  ResultFolder folder(options.folder);
  Progress progress;
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Document& document = wanted[i];
    Page page(std::string(document.key), document.title, [&](const std::string& section) {
      stop_if_interrupted();
      const double part = static_cast<double>(i) / static_cast<double>(wanted.size());
      progress.show(part, [&](double) { return fmt::format("{}, {}", document.key, section); });
    });
    document.write(page);
    files.merge(page.files());
  }
  std::deque<io::Draft> drafts;
  for (const auto& [name, content] : files) {
    drafts.emplace_back(folder.path(name)).append(content);
    drafts.back().complete();
  }
  folder.keep();
  for (io::Draft& draft : drafts) draft.commit();
  for (const Document& document : wanted) {
    session.out += fmt::format("{:9} {}\n", document.key, folder.path(fmt::format("{}.md", document.key)));
  }
  session.out += fmt::format("{} figures beside, in {:.1f} s\n", files.size() - wanted.size(), progress.seconds());
  return Status::done;
}

}  // namespace denoc::app
