// operator new, counted. In a file of its own: inlined into the tests g++ takes its malloc and free for a mismatch.
#include <cstdlib>
#include <new>

long& allocations() {
  thread_local long count = 0;
  return count;
}

namespace {
void* allocated(std::size_t size, std::size_t alignment) {
  ++allocations();
  void* p = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                ? std::malloc(size == 0 ? 1 : size)
                : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
}  // namespace

void* operator new(std::size_t size) { return allocated(size, 1); }
void* operator new[](std::size_t size) { return allocated(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) { return allocated(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocated(size, std::size_t(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
