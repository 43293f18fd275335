// Loaded into a program before the C library (LD_PRELOAD): what does it do when there is no memory?
//   MEMORY_AT=n    the n-th request for memory after main has begun is refused
//   MEMORY_TO=m    and all from there to the m-th (default: that one only)
//   REQUESTS=FILE  their number is written to the file when the program ends
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

extern "C" {
void* __libc_malloc(size_t size);                      // NOLINT: names of the C library
void* __libc_calloc(size_t count, size_t size);        // NOLINT
void* __libc_realloc(void* old, size_t size);          // NOLINT
void* __libc_memalign(size_t alignment, size_t size);  // NOLINT
}

namespace {

std::atomic<long> requests = 0;
long first = 0, last = 0;
bool is_in_main = false;
int (*main_of_program)(int, char**, char**) = nullptr;

bool is_refused() {
  if (!is_in_main) return false;
  const long request = ++requests;
  if (request < first || request > last) return false;
  errno = ENOMEM;
  return true;
}

long setting(const char* name, long otherwise) {
  const char* const text = getenv(name);
  return text == nullptr ? otherwise : atol(text);
}

void tell_requests() {
  const char* const name = getenv("REQUESTS");
  if (name == nullptr) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", requests.load());
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || write(file, text, static_cast<size_t>(length)) != length) abort();
  close(file);
}

int counted_main(int argc, char** argv, char** environment) {
  first = setting("MEMORY_AT", 0);
  last = setting("MEMORY_TO", first);
  is_in_main = true;
  const int status = main_of_program(argc, argv, environment);
  is_in_main = false;
  tell_requests();
  return status;
}

}  // namespace

extern "C" {

void* malloc(size_t size) noexcept { return is_refused() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept { return is_refused() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) noexcept { return is_refused() ? nullptr : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return is_refused() ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, size_t alignment, size_t size) noexcept {
  if (is_refused()) return ENOMEM;
  *to = __libc_memalign(alignment, size);
  return *to == nullptr ? ENOMEM : 0;
}

// What runs before main cannot tell anybody.
int __libc_start_main(int (*of_program)(int, char**, char**), int argc, char** argv, void (*begin)(), void (*end)(),
                      void (*end_of_loader)(), void* stack) {
  using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  main_of_program = of_program;
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, begin, end, end_of_loader, stack);
}
}
