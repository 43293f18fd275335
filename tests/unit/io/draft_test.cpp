#include "denoc/io/draft.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "unit/io/files.hpp"

namespace denoc::io {
namespace {
namespace THIS_FILE {

namespace fs = std::filesystem;
using test::TemporaryFile;

struct Drafts : ::testing::Test {
  const TemporaryFile old{"x.csv", "old"};
  const fs::path folder = old.path().parent_path(), draft = old.path().string() + ".denoc.part";

  static std::string text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})); }
};

TEST_F(Drafts, AreBesideTheFileUntilTheyAreCommitted) {
  {
    Draft file(old.path());
    file.append("new");
    file.complete();
    EXPECT_TRUE(fs::exists(draft));
    EXPECT_EQ(text(old.path()), "old");
  }
  EXPECT_EQ(files(), 1u);
  Draft file(old.path());
  file.append("new");
  file.commit();
  EXPECT_EQ(text(old.path()), "new");
  EXPECT_EQ(files(), 1u);
}

// Names have at most 255 bytes; a draft needs eleven more.
TEST_F(Drafts, NamesMayBeAsLongAsTheyCanBe) {
  for (const std::size_t size : {244u, 245u, 255u}) {
    const fs::path file = folder / std::string(size, 'n');
    Draft draft(file);
    draft.append("new");
    draft.commit();
    EXPECT_EQ(text(file), "new") << size;
  }
  EXPECT_EQ(files(), 4u);
  EXPECT_THROW(Draft(folder / std::string(256, 'n')), WriteError);
}

// A longer one, so that its end would show.
TEST_F(Drafts, OfRunsThatWereKilledAreTakenOver) {
  std::ofstream(draft) << std::string(1000, 'x');
  Draft file(old.path());
  file.append("new");
  file.commit();
  EXPECT_EQ(text(old.path()), "new");
  EXPECT_EQ(files(), 1u);
}

// Where the standard input is closed, the file that is opened next has its number, 0.
TEST_F(Drafts, MayHaveTheNumberOfTheStandardInput) {
  struct Closed {
    Closed() { ::close(0); }
    ~Closed() {
      if (input >= 0) ::dup2(input, 0), ::close(input);
    }
    const int input = ::dup(0);
  } const closed;
  for (const fs::path& target : {old.path(), fs::path("/dev/null")}) {
    Draft file(target);
    EXPECT_NE(::fcntl(0, F_GETFD), -1) << target << ": it took another number";
    file.append("new");
    file.commit();
  }
  EXPECT_EQ(text(old.path()), "new");
}

TEST_F(Drafts, OfOtherRunsAreLetAlone) {
  Draft first(old.path());
  first.append("first");
  try {
    Draft second(old.path());
    ADD_FAILURE() << "two drafts of one file";
  } catch (const WriteError& error) {
    EXPECT_EQ(error.what(), old.path().string() + ": the result cannot be written: another run is writing it");
  }
  first.complete();
  EXPECT_THROW(Draft(old.path()), WriteError);
  first.commit();
  EXPECT_EQ(text(old.path()), "first");
  Draft third(old.path());
  third.append("third");
  third.commit();
  EXPECT_EQ(text(old.path()), "third");
}

TEST_F(Drafts, OfOneFileAreToldApartByTheirMarks) {
  Draft first(old.path(), "first"), last(old.path());
  first.append("first");
  last.append("last");
  last.complete();
  first.commit();
  EXPECT_EQ(text(old.path()), "first");
  last.commit();
  EXPECT_EQ(text(old.path()), "last");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Drafts, ThatNobodyHoldsAreRemoved) {
  Draft held(old.path());
  held.append("held");
  std::ofstream(folder / "y.svg.denoc.part") << "half";
  std::ofstream(folder / "y.svg.part") << "mine";
  fs::create_directory(folder / "z.denoc.part");
  remove_stale_drafts(folder);
  EXPECT_FALSE(fs::exists(folder / "y.svg.denoc.part"));
  EXPECT_EQ(files(), 4u);
  held.commit();
  EXPECT_EQ(text(old.path()), "held");
  remove_stale_drafts(folder / "none");
}

TEST_F(Drafts, DoNotFollowLinks) {
  std::ofstream(folder / "mine") << "mine";
  fs::create_symlink(folder / "mine", draft);
  EXPECT_THROW(Draft(old.path()), WriteError);
  EXPECT_EQ(text(folder / "mine"), "mine");
}

// What only its owner reads is read by nobody else afterwards, nor meanwhile; what a group writes it writes on.
TEST_F(Drafts, KeepThePermissionsOfWhatTheyReplace) {
  for (const unsigned mode : {0600u, 0640u, 0664u, 0444u, 0755u, 04750u}) {
    ASSERT_EQ(::chmod(old.path().c_str(), mode), 0);
    {
      Draft file(old.path());
      file.append("new");
      file.complete();
      EXPECT_EQ(unsigned(fs::status(draft).permissions()) & 077u, 0u) << "not yet";
      file.commit();
    }
    EXPECT_EQ(unsigned(fs::status(old.path()).permissions()), mode);
    EXPECT_EQ(text(old.path()), "new");
  }
}

// Whoever runs a file with a special bit runs it as its owner: it stays where the owner stays, and nowhere else.
TEST_F(Drafts, KeepSpecialBitsWithTheirOwnerOnly) {
  constexpr uid_t nobody = 65534;
  const bool is_root = ::geteuid() == 0 && ::chown(folder.c_str(), nobody, nobody) == 0;
  if (!is_root) GTEST_SKIP() << "only root has files of others";
  struct As {  // for a while
    explicit As(uid_t user) { EXPECT_TRUE(::setegid(user) == 0 && ::seteuid(user) == 0); }
    ~As() { EXPECT_TRUE(::seteuid(0) == 0 && ::setegid(0) == 0); }
  };
  const auto replaced = [&](uid_t owner, unsigned mode, uid_t writer) {
    EXPECT_EQ(::chown(old.path().c_str(), owner, owner), 0);
    EXPECT_EQ(::chmod(old.path().c_str(), mode), 0);
    const As user(writer);
    Draft file(old.path());
    file.commit();
    struct stat now = {};
    EXPECT_EQ(::stat(old.path().c_str(), &now), 0);
    return std::pair(now.st_uid, now.st_mode & 07777u);
  };
  for (const unsigned mode : {04755u, 02755u, 06711u, 01644u, 0640u}) {
    EXPECT_EQ(replaced(nobody, mode, 0), std::pair(nobody, mode)) << "root gives files back";
    EXPECT_EQ(replaced(nobody, mode, nobody), std::pair(nobody, mode)) << "one's own";
    EXPECT_EQ(replaced(0, mode, nobody), std::pair(nobody, mode & 0777u)) << "another's";
  }
}

TEST_F(Drafts, OfNewFilesHaveThePermissionsThatTheUserGivesFiles) {
  const mode_t mask = ::umask(027);
  {
    Draft file(folder / "new");
    file.commit();
  }
  ::umask(mask);
  EXPECT_EQ(unsigned(fs::status(folder / "new").permissions()), 0640u);
}

// A link stays one, whether it points to a file, to another link, or to a file that is not there yet.
TEST_F(Drafts, ReplaceWhatALinkPointsTo) {
  fs::create_directory(folder / "there");
  fs::create_symlink("x.csv", folder / "near");
  fs::create_symlink("near", folder / "chain");
  fs::create_symlink(folder / "there" / "made", folder / "far");
  for (const char* link : {"near", "chain", "far"}) {
    Draft file(folder / link);
    file.append(link);
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder / link));
    EXPECT_EQ(text(folder / link), link);
  }
  EXPECT_EQ(text(old.path()), "chain");
  EXPECT_EQ(text(folder / "there" / "made"), "far");
  EXPECT_FALSE(fs::exists(folder / "far.denoc.part"));
  fs::create_symlink("ring", folder / "ring");
  EXPECT_THROW(Draft(folder / "ring").commit(), WriteError);
}

// What names a file that is open goes on where that stands, and what is there stays: `>> log` with -o /dev/stdout.
TEST_F(Drafts, OfOpenFilesAreWrittenWhereTheyStand) {
  const int file = ::open(old.path().c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(file, 0);
  fs::create_symlink(fmt::format("/dev/fd/{}", file), folder / "link");
  std::string expected = "old";
  for (const fs::path& name :
       {fs::path(fmt::format("/dev/fd/{}", file)), fs::path(fmt::format("/proc/self/fd/{}", file)),
        fs::path(fmt::format("/proc/{}/fd/{}", ::getpid(), file)), folder / "link"}) {
    Draft draft(name);
    draft.append("new");
    draft.commit();
    expected += "new";
    EXPECT_EQ(text(old.path()), expected) << name;
  }
  Draft draft(folder / "link");
  EXPECT_THROW(draft.overwrite_start("x"), WriteError) << "its start is another's";
  EXPECT_EQ(text(old.path()), expected);
  EXPECT_EQ(::write(file, "!", 1), 1) << "it stays open";
  ::close(file);
  EXPECT_THROW(Draft(fmt::format("/dev/fd/{}", file)), WriteError);
  EXPECT_EQ(files(), 2u) << "and no draft lies about";
}

// FIPS 180-4, as NIST publishes its examples; the lengths around 56 and 64 take another block or not.
TEST_F(Drafts, HaveASum) {
  const auto sum = [&](const std::string& bytes, std::size_t piece) {
    Draft file(folder / "sum");
    for (std::size_t i = 0; i < bytes.size(); i += piece) file.append(std::string_view(bytes).substr(i, piece));
    const auto [size, sha256] = file.sum();
    EXPECT_EQ(size, bytes.size());
    return sha256;
  };
  EXPECT_EQ(sum("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum("abc", 1), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 5),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sum("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrs"
          "tnopqrstu",
          7),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sum(std::string(1'000'000, 'a'), 4099), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
