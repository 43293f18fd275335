// operator new, counted. In a file of its own: inlined into the tests g++ takes its malloc and free for a mismatch.
#include "counting_new.hpp"

#include <cstdlib>
#include <new>

// malloc, calloc (which g++ makes of malloc and zeros) and free of what is linked here, without shared libraries
// (-Wl,--wrap).
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void __real_free(void* p);
void* __wrap_malloc(std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size);
void __wrap_free(void* p);
}

long& allocations() {
  thread_local long count = 0;
  return count;
}
long& live_allocations() {
  thread_local long count = 0;
  return count;
}
long& refused_allocation() {
  thread_local long number = 0;
  return number;
}

namespace {

template <class Take> void* counted(const Take& take) {
  if (++allocations() == refused_allocation()) return nullptr;
  ++live_allocations();
  return take();
}

void* allocated(std::size_t size, std::size_t alignment) {
  void* p = counted([&] {
    return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
               ? __real_malloc(size == 0 ? 1 : size)
               : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  });
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

void given_back(void* p) noexcept {
  if (p != nullptr) --live_allocations();
  __real_free(p);
}

}  // namespace

void* __wrap_malloc(std::size_t size) {
  return counted([&] { return __real_malloc(size); });
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return counted([&] { return __real_calloc(count, size); });
}
void __wrap_free(void* p) { given_back(p); }

void* operator new(std::size_t size) { return allocated(size, 1); }
void* operator new[](std::size_t size) { return allocated(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) { return allocated(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return allocated(size, std::size_t(a)); }
void operator delete(void* p) noexcept { given_back(p); }
void operator delete[](void* p) noexcept { given_back(p); }
void operator delete(void* p, std::size_t) noexcept { given_back(p); }
void operator delete[](void* p, std::size_t) noexcept { given_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { given_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { given_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { given_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { given_back(p); }
