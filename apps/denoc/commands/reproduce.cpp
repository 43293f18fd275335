// denoc reproduce: tables and figures of the documents, computed anew, as Markdown with SVG plots and as HTML.
#include <array>
#include <cstdlib>
#include <deque>

#include "commands/list.hpp"
#include "commands/problem.hpp"
#include "denoc/io/report.hpp"
#include "denoc/io/result_set.hpp"
#include "output/interrupt.hpp"
#include "output/progress.hpp"
#include "studies/reproduce/documents.hpp"

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

std::string page_file(const Document& document, std::string_view kind) {
  return fmt::format("{}.{}", document.key, kind);
}

// The page of a document and its figures.
class Pages {
 public:
  Pages(const io::ResultFolder& folder, const Document& document)
      : set_(folder, page_file(document, "manifest.json"),
             std::array{page_file(document, "md"), page_file(document, "html")}) {}

  void add(const std::string& name, std::string_view content) {
    drafts_.emplace_back(set_.path(name)).append(content);
    drafts_.back().complete();
  }
  // How many files there are.
  std::size_t commit() {
    std::vector<io::Draft*> files;
    for (io::Draft& draft : drafts_) files.push_back(&draft);
    set_.commit(files);
    return files.size();
  }

 private:
  io::ResultSet set_;
  std::deque<io::Draft> drafts_ = {};
};

struct ReproduceOptions {
  std::string document, folder;
};

// Pages are to be compared to the last digit: they are computed as every processor can, unless asked for otherwise.
void use_baseline() {
  const char* const named = std::getenv("DENOC_ISA");  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  if (named == nullptr || *named == '\0') setenv("DENOC_ISA", "baseline", 1);  // NOLINT(concurrency-mt-unsafe)
}

Status reproduce(const ReproduceOptions& options, Session& session) {
  const std::vector<Document> wanted = chosen(options.document);
  catch_interrupts();
  use_baseline();
  io::ResultFolder folder(options.folder);
  std::deque<Pages> sets;  // a document each
  for (const Document& document : wanted) sets.emplace_back(folder, document);
  Progress progress;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Document& document = wanted[i];
    Page page(std::string(document.key), document.title, [&](const std::string& section) {
      stop_if_interrupted();
      const double part = static_cast<double>(i) / static_cast<double>(wanted.size());
      progress.show(part, [&](double) { return fmt::format("{}, {}", document.key, section); });
    });
    document.write(page);
    for (const auto& [name, content] : page.files()) sets[i].add(name, content);
  }
  stop_if_interrupted();
  std::size_t figures = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    figures += sets[i].commit() - 2;
    session.out += fmt::format("{:9} {}, {}\n", wanted[i].key, folder.path(page_file(wanted[i], "html")).string(),
                               page_file(wanted[i], "md"));
  }
  session.out += fmt::format("{} figures beside, in {:.1f} s\n", figures, progress.seconds());
  return Status::done;
}

}  // namespace

Command commands::reproduce() {
  return command<ReproduceOptions>(
      "reproduce", "tables and figures of the documents, computed anew, as HTML and as Markdown, with plots", "",
      {{"denoc reproduce all -o pages", "the documents' tables and figures, computed anew"},
       {"denoc reproduce saha97 -o pages", "those of one of them"}},
      [](Arguments& arguments, ReproduceOptions& options) {
        arguments.place("DOCUMENT", options.document, "saha97, mata02, mohan07, shah13, angeles7 or all");
        folder_argument(arguments, options.folder, "folder of the pages, made if it is not there");
      },
      app::reproduce);
}

}  // namespace denoc::app
