// So many numbers for every column, a few bytes from each other. Of one state those of four columns stand together,
// number by number: what the columns of a joint's subtree share is done for several at once.
#pragma once
#include <new>

#include "denoc/dynamics/derivatives/branches.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

// Memory that begins with a cache line, so that no register is read from two of them.
template <class T> struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t size{64};
  CacheLines() = default;
  template <class U> CacheLines(const CacheLines<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), size)); }
  void deallocate(T* p, size_t) { ::operator delete(p, size); }
  friend bool operator==(const CacheLines&, const CacheLines&) { return true; }
};
template <class T> using Aligned = std::vector<T, CacheLines<T>>;

// Columns that stand together (whatever the instruction set), and how many of them a register takes.
template <class T> inline constexpr int bundle_width = std::is_same_v<T, double> ? Branches::width : 1;
template <class T> inline constexpr int several = bundle_width<T> > 1 ? group_size<T> : 1;
template <class T> using Several = std::conditional_t<bundle_width<T> == 1, T, Group<T>>;

// Where column c stands among them, and which stands there.
template <class T> DENOC_INLINE int place_of(const Branches& on, int c) {
  return bundle_width<T> > 1 ? on.place(c) : c;
}
template <class T> DENOC_INLINE int column_at(const Branches& on, int place) {
  return bundle_width<T> > 1 ? on.column(place) : place;
}

// The numbers of a column, or of several, wherever they are.
template <class T> struct BundleAt {
  T* first;

  DENOC_INLINE T& operator[](int number) const { return first[number * bundle_width<T>]; }
  DENOC_INLINE Several<T> get(int number) const {
    Several<T> x;
    if constexpr (several<T> == 1)
      x = (*this)[number];
    else
      std::memcpy(&x, &(*this)[number], sizeof x);
    return x;
  }
  DENOC_INLINE void set(int number, const Several<T>& x) const {
    if constexpr (several<T> == 1)
      (*this)[number] = x;
    else
      std::memcpy(&(*this)[number], &x, sizeof x);
  }
  // Three and six of the numbers, from `number` on.
  DENOC_INLINE Vec3<Several<T>> vector(int number) const { return {get(number), get(number + 1), get(number + 2)}; }
  DENOC_INLINE Wrench<Several<T>> wrench(int number) const { return {vector(number), vector(number + 3)}; }
  DENOC_INLINE void set(int number, const Vec3<Several<T>>& v) const {
    set(number, v.x), set(number + 1, v.y), set(number + 2, v.z);
  }
  DENOC_INLINE void set(int number, const Wrench<Several<T>>& w) const { set(number, w.n), set(number + 3, w.f); }
};

// So many numbers of every column, in the order of the links.
template <class T, int numbers> class Bundles {
 public:
  explicit Bundles(const Branches& on)
      : entries_(size_t(bundle_width<T> > 1 ? on.places() : on.size()) * numbers, T(0)) {}

  // Those from place k on.
  DENOC_INLINE BundleAt<T> at(int k) {
    constexpr int width = bundle_width<T>;
    if constexpr (several<T> == width) return {entries_.data() + k * numbers};
    return one(k);
  }
  // One of them.
  DENOC_INLINE BundleAt<T> one(int k) {
    constexpr int width = bundle_width<T>;
    return {entries_.data() + (k - k % width) * numbers + k % width};
  }

 private:
  Aligned<T> entries_;
};
// So many numbers of every pair (ancestor c, descendant k) in the order of the links: a plane of rows for each, with room
// in front for the first of several columns that end a row.
template <class T, int numbers> class Triangles {
 public:
  explicit Triangles(int n) : n_(n), entries_(size_t(offset(n, numbers, 0, 0)), T(0)) {}
  static int offset(int n, int number, int c, int k) { return (number * n + c) * (n + room) + room + k; }

  // Where they are. (A copy of its own is what a loop keeps in registers.)
  struct At {
    T* first;
    std::ptrdiff_t stride, plane;
    DENOC_INLINE T* operator()(int number, int c, int k) const { return first + number * plane + c * stride + k; }
    DENOC_INLINE RowsAt<T> operator[](int number) const { return {first + number * plane, stride}; }
  };
  DENOC_INLINE At at() { return {entries_.data() + room, n_ + room, std::ptrdiff_t(n_) * (n_ + room)}; }
  const T* data() const { return entries_.data(); }  // [0] is zero

 private:
  static constexpr int room = 5;
  int n_;
  Aligned<T> entries_;
};

}  // namespace denoc
