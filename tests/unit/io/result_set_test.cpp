#include "denoc/io/result_set.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "unit/io/files.hpp"

namespace denoc::io {
namespace {
namespace THIS_FILE {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

struct ResultSets : ::testing::Test {
  const test::TemporaryFile beside{"beside", "mine"};
  const fs::path folder = beside.path().parent_path() / "results";

  static std::string text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& name, const std::string& content) const {
    fs::create_directories(folder);
    std::ofstream(folder / name) << content;
  }
  Names names() const {
    Names all;
    for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path().filename().string());
    return all;
  }
  // A run that writes these.
  void write(const std::vector<std::string>& files, const std::string& content = "text") const {
    const ResultFolder results(folder);
    ResultSet set(results, "manifest.json", files);
    std::vector<std::unique_ptr<Draft>> drafts;
    std::vector<Draft*> all;
    for (const std::string& name : files) {
      drafts.push_back(std::make_unique<Draft>(set.path(name)));
      drafts.back()->append(content);
      all.push_back(drafts.back().get());
    }
    set.commit(all);
  }
  // What is said when they cannot be written.
  std::string refusal(const std::vector<std::string>& files) const {
    try {
      write(files);
    } catch (const WriteError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(ResultSets, AreNamedByTheirManifest) {
  write({"a.csv", "b.svg"}, "abc");
  EXPECT_EQ(names(), (Names{"a.csv", "b.svg", "manifest.json"}));
  const std::string sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const std::string manifest = text(folder / "manifest.json");
  EXPECT_NE(manifest.find("\"complete\": true"), std::string::npos) << manifest;
  for (const char* name : {"a.csv", "b.svg"})
    EXPECT_NE(manifest.find("{\"name\": \"" + std::string(name) + "\", \"bytes\": 3, \"sha256\": \"" + sum + "\"}"),
              std::string::npos)
        << manifest;
  write({"b.svg", "c.csv"}, "new");
  EXPECT_EQ(names(), (Names{"b.svg", "c.csv", "manifest.json"}));
  EXPECT_EQ(text(folder / "b.svg"), "new");
}

TEST_F(ResultSets, LeaveFilesOfOthers) {
  put("mine.svg", "mine");
  put("b.svg", "mine");
  write({"a.csv"});
  EXPECT_EQ(names(), (Names{"a.csv", "b.svg", "manifest.json", "mine.svg"}));
  const std::string before = text(folder / "manifest.json"), said = refusal({"a.csv", "mine.svg", "b.svg"});
  EXPECT_TRUE(said.starts_with((folder / "mine.svg").string() + ", " + (folder / "b.svg").string() + ": ")) << said;
  EXPECT_EQ(text(folder / "mine.svg") + text(folder / "b.svg"), "minemine");
  EXPECT_EQ(text(folder / "manifest.json"), before);
}

// It came while the run was under way.
TEST_F(ResultSets, AreNotPutOverWhatCameMeanwhile) {
  write({"a.csv"}, "old");
  const std::string before = text(folder / "manifest.json");
  {
    const ResultFolder results(folder);
    ResultSet set(results, "manifest.json", std::array<std::string, 2>{"a.csv", "b.csv"});
    Draft a(set.path("a.csv")), b(set.path("b.csv"));
    put("b.csv", "mine");
    EXPECT_THROW(set.commit(std::array{&a, &b}), WriteError);
    EXPECT_THROW(set.path("b.csv"), WriteError);
  }
  EXPECT_EQ(names(), (Names{"a.csv", "b.csv", "manifest.json"}));
  EXPECT_EQ(text(folder / "a.csv") + text(folder / "b.csv"), "oldmine");
  EXPECT_EQ(text(folder / "manifest.json"), before);
}

// A run was killed while it replaced a and b by b and c.
TEST_F(ResultSets, KnowWhatInterruptedRunsLeft) {
  put("manifest.json",
      R"({"denoc": "0.1.0", "complete": false, "files": [{"name": "a.csv"}, {"name": "b.csv"}, {"name": "c.csv"}]})");
  put("a.csv", "old");
  put("c.csv", "new");
  put("d.csv.denoc.part", "half");
  write({"b.csv", "e.csv"});
  EXPECT_EQ(names(), (Names{"b.csv", "e.csv", "manifest.json"}));
}

TEST_F(ResultSets, TakeNoManifestOfOthers) {
  for (const char* manifest :
       {"text", "[]", "{\"files\": []}", R"({"denoc": "0.1.0", "complete": true, "files": [{"name": "../beside"}]})",
        R"({"denoc": "0.1.0", "complete": true, "files": [{"name": "a/b"}]})",
        R"({"denoc": "0.1.0", "complete": true, "files": [{"name": "."}]})"}) {
    put("manifest.json", manifest);
    EXPECT_NE(refusal({"a.csv"}).find("it is no manifest of denoc"), std::string::npos) << manifest;
    EXPECT_EQ(text(folder / "manifest.json"), manifest);
    EXPECT_EQ(names(), Names{"manifest.json"});
  }
  fs::remove(folder / "manifest.json");
  fs::create_symlink(beside.path(), folder / "manifest.json");
  EXPECT_NE(refusal({"a.csv"}), "");
  EXPECT_EQ(text(beside.path()), "mine");
}

TEST_F(ResultSets, HaveNamesThatAManifestCanHold) {
  for (const char* name : {"a b", "\"", ".hidden", "\xC3\xA4"}) EXPECT_THROW(write({name}), ArgumentError);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(ResultSets, OfSeveralKindsShareAFolder) {
  const ResultFolder results(folder);
  for (const std::string key : {"x", "y", "x"}) {
    const std::string name = key + ".md";
    ResultSet set(results, key + ".manifest.json", std::array{name});
    Draft page(set.path(name));
    set.commit(std::array{&page});
  }
  EXPECT_EQ(names(), (Names{"x.manifest.json", "x.md", "y.manifest.json", "y.md"}));
}

TEST_F(ResultSets, FoldersAreMadeAndGoIfTheyStayEmpty) {
  const fs::path deep = folder / "a" / "b";
  {
    const ResultFolder results(deep);
    EXPECT_TRUE(fs::is_directory(deep));
  }
  EXPECT_FALSE(fs::exists(folder));
  {
    const ResultFolder results(deep);
    std::ofstream(results.path("x")) << "x";
  }
  EXPECT_TRUE(fs::exists(deep / "x"));
  fs::remove(deep / "x");
  { const ResultFolder results(deep); }
  EXPECT_TRUE(fs::exists(deep));  // it was there
  EXPECT_THROW(ResultFolder(beside.path()), WriteError);
  EXPECT_THROW(ResultFolder(beside.path() / "deeper"), WriteError);
}

TEST_F(ResultSets, FoldersAreForOneRunAtATime) {
  {
    const ResultFolder first(folder);
    EXPECT_THROW(ResultFolder second(folder), WriteError);
  }
  const ResultFolder third(folder);
}

// Three runs in one folder, and in between its user: of each result of an earlier run it may be there as it was written,
// gone, or replaced by a file, a link or a folder of his. Whatever he did, what a run does not write is left but for files
// under names that the manifest has; what it would write over a link or a folder is refused, and then nothing changes.
TEST_F(ResultSets, WhatBecameOfOldResultsIsNoMatter) {
  enum Now { as_written, gone, other_text, link, folder_of_his };
  const std::vector<std::string> all = {"a.csv", "b.svg", "c.html"};
  for (int code = 0; code < 5 * 5 * 2; ++code)
    for (unsigned written = 0; written < 8; ++written) {
      const Now first = Now(code % 5), second = Now(code / 5 % 5);
      const bool is_interrupted = code / 25 != 0;  // the run before was
      SCOPED_TRACE(testing::Message() << first << ' ' << second << ' ' << is_interrupted << ' ' << written);
      fs::remove_all(folder);
      write(all, "old");
      put("mine.csv", "mine");
      put("manifest.json.bak", "mine");
      if (is_interrupted)
        put("manifest.json",
            R"({"denoc": "0", "complete": false, "files": [{"name": "c.html"}, {"name": "b.svg"}, {"name": "a.csv"}]})");
      const auto happen = [&](const std::string& name, Now what) {
        if (what != as_written) fs::remove(folder / name);
        if (what == other_text) put(name, "other");
        if (what == link) fs::create_symlink(beside.path(), folder / name);
        if (what == folder_of_his) {
          fs::create_directory(folder / name);
          put(name + "/inside", "mine");
        }
      };
      happen(all[0], first);
      happen(all[1], second);
      std::vector<std::string> now_written;
      Names expected = {"manifest.json", "mine.csv", "manifest.json.bak"};
      bool is_refused = false;
      for (unsigned i = 0; i < 3; ++i) {
        const Now was = i == 0 ? first : i == 1 ? second : as_written;
        const bool is_his = was == link || was == folder_of_his, is_written = (written >> i) % 2 != 0;
        if (is_written) now_written.push_back(all[i]);
        if (is_written || is_his) expected.insert(all[i]);
        is_refused = is_refused || (is_written && is_his);
      }
      const Names before = names();
      const std::string manifest = text(folder / "manifest.json"), said = refusal(now_written);
      EXPECT_EQ(said != "", is_refused) << said;
      EXPECT_EQ(names(), is_refused ? before : expected);
      if (is_refused) {
        EXPECT_EQ(text(folder / "manifest.json"), manifest);
      } else {
        for (const std::string& name : now_written) EXPECT_EQ(text(folder / name), "text");
      }
      EXPECT_EQ(text(folder / "mine.csv") + text(folder / "manifest.json.bak"), "minemine");
      EXPECT_EQ(text(beside.path()), "mine");
      for (const auto& [name, was] : {std::pair(all[0], first), {all[1], second}})
        EXPECT_TRUE(was != folder_of_his || text(folder / name / "inside") == "mine");
      if (is_refused) continue;
      // What was left is nobody's result any more: the next run neither takes it for one nor removes it.
      write({"d.csv"});
      expected.insert("d.csv");
      for (const std::string& name : now_written) expected.erase(name);
      EXPECT_EQ(names(), expected);
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
