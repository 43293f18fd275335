// So many numbers for every entry of a matrix, a few bytes from each other. Of one state the entries of four columns
// stand together, number by number: what the columns of a joint's subtree share is done for several at once.
#pragma once
#include "denoc/dynamics/derivatives/branches.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

// Columns that stand together (whatever the instruction set), and how many of them a register takes.
template <class T> inline constexpr int bundle_width = std::is_same_v<T, double> ? Branches::width : 1;
template <class T> inline constexpr int several = bundle_width<T> > 1 ? group_size<T> : 1;
template <class T> using Several = std::conditional_t<bundle_width<T> == 1, T, Group<T>>;

// Where column c stands among them.
template <class T> DENOC_INLINE int place_of(const Branches& on, int c) {
  return bundle_width<T> > 1 ? on.place(c) : c;
}

// The numbers of an entry, or of several, wherever they are.
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

template <class T, int numbers> class Bundles {
 public:
  Bundles(const Branches& on, int rows)
      : stride_(bundle_width<T> > 1 ? on.places() : on.size()), entries_(size_t(rows) * stride_ * numbers, T(0)) {}

  // Of row r those from place k on.
  DENOC_INLINE BundleAt<T> at(int r, int k) {
    constexpr int width = bundle_width<T>;
    T* const row = entries_.data() + size_t(r) * stride_ * numbers;
    if constexpr (several<T> == width) return {row + k * numbers};
    return {row + (k - k % width) * numbers + k % width};
  }
  const T* data() const { return entries_.data(); }
  // One of them.
  DENOC_INLINE BundleAt<T> one(int r, int k) {
    constexpr int width = bundle_width<T>;
    return {entries_.data() + size_t(r) * stride_ * numbers + (k - k % width) * numbers + k % width};
  }

 private:
  size_t stride_;
  std::vector<T> entries_;
};

}  // namespace denoc
