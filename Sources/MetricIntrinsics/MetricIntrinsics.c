#include "MetricIntrinsics.h"

// Looking for separators took 15 % of the time of reading a file; with what newer processors have it takes a half of
// that and less. So it is written three times, and the processor is asked which.

enum { portable = 0, avx2 = 1, avx512 = 2 };

/// The marks of the bytes before `end`.
static inline uint64_t before(uint64_t marks, size_t offset, size_t end) {
  return end - offset < 64 ? marks & ((UINT64_C(1) << (end - offset)) - 1) : marks;
}

/// Writes eight places at a time whether there are as many or not: a branch for each costs more.
static inline __attribute__((always_inline)) size_t
write_marked(uint64_t marks, const uint8_t *base, size_t offset, uint32_t *places, uint8_t *kinds) {
  const size_t count = (size_t)__builtin_popcountll(marks);
  for (size_t written = 0; written < count; written += 8) {
    for (size_t index = written; index < written + 8; index++) {
      // Where no mark is left it is the last byte, which is overwritten.
      const size_t place = offset + (size_t)__builtin_ctzll(marks | UINT64_C(1) << 63);
      places[index] = (uint32_t)place;
      kinds[index] = base[place];
      marks &= marks - 1;
    }
  }
  return count;
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t pairs16 __attribute__((vector_size(32)));

/// The bytes of two vectors, each put together with its neighbour.
static inline bytes16 folded(bytes16 low, bytes16 high) {
  pairs16 pairs;
  __builtin_memcpy(&pairs, &low, 16);
  __builtin_memcpy((char *)&pairs + 16, &high, 16);
  return __builtin_convertvector(pairs | pairs >> 8, bytes16);
}

/// In each of 16 bytes that is wanted the bit that stands for it in its group of eight.
static inline bytes16 marks_of_16(const uint8_t *bytes, const uint8_t wanted[3]) {
  const bytes16 lanes = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  bytes16 vector;
  __builtin_memcpy(&vector, bytes, 16);
  return (bytes16)((vector == wanted[0]) | (vector == wanted[1]) | (vector == wanted[2])) & lanes;
}

static size_t separators_portable(const uint8_t *base, size_t start, size_t end, const uint8_t wanted[3],
                                  uint32_t *places, uint8_t *kinds) {
  size_t count = 0;
  for (size_t offset = start; offset < end; offset += 64) {
    const uint8_t *bytes = base + offset;
    const bytes16 low = folded(marks_of_16(bytes, wanted), marks_of_16(bytes + 16, wanted));
    const bytes16 high = folded(marks_of_16(bytes + 32, wanted), marks_of_16(bytes + 48, wanted));
    const bytes16 fours = folded(low, high), eights = folded(fours, fours);
    uint64_t marks;
    __builtin_memcpy(&marks, &eights, 8);
    count += write_marked(before(marks, offset, end), base, offset, places + count, kinds + count);
  }
  return count;
}

#if defined(__x86_64__)
#include <immintrin.h>

int metric_vector_level(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2")) {
    return avx512;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") ? avx2 : portable;
}

__attribute__((target("avx2,bmi,popcnt"))) static inline uint32_t
marks_of_32(const uint8_t *bytes, __m256i a, __m256i b, __m256i c) {
  const __m256i vector = _mm256_loadu_si256((const __m256i *)bytes);
  const __m256i found = _mm256_or_si256(
      _mm256_or_si256(_mm256_cmpeq_epi8(vector, a), _mm256_cmpeq_epi8(vector, b)), _mm256_cmpeq_epi8(vector, c));
  return (uint32_t)_mm256_movemask_epi8(found);
}

__attribute__((target("avx2,bmi,popcnt"))) static size_t
separators_avx2(const uint8_t *base, size_t start, size_t end, const uint8_t wanted[3], uint32_t *places,
                uint8_t *kinds) {
  const __m256i a = _mm256_set1_epi8((char)wanted[0]), b = _mm256_set1_epi8((char)wanted[1]),
                c = _mm256_set1_epi8((char)wanted[2]);
  size_t count = 0;
  for (size_t offset = start; offset < end; offset += 64) {
    const uint64_t low = marks_of_32(base + offset, a, b, c), high = marks_of_32(base + offset + 32, a, b, c);
    const uint64_t marks = before(high << 32 | low, offset, end);
    count += write_marked(marks, base, offset, places + count, kinds + count);
  }
  return count;
}

/// Four times sixteen places, as far as there are marks.
__attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi2,popcnt"))) static size_t
separators_avx512(const uint8_t *base, size_t start, size_t end, const uint8_t wanted[3], uint32_t *places,
                  uint8_t *kinds) {
  uint8_t lanes[64];
  for (int lane = 0; lane < 64; lane++) lanes[lane] = (uint8_t)lane;
  const __m512i order = _mm512_loadu_si512(lanes);
  const __m512i a = _mm512_set1_epi8((char)wanted[0]), b = _mm512_set1_epi8((char)wanted[1]),
                c = _mm512_set1_epi8((char)wanted[2]);
  size_t count = 0;
  for (size_t offset = start; offset < end; offset += 64) {
    const __m512i vector = _mm512_loadu_si512(base + offset);
    const uint64_t found =
        _mm512_cmpeq_epi8_mask(vector, a) | _mm512_cmpeq_epi8_mask(vector, b) | _mm512_cmpeq_epi8_mask(vector, c);
    const uint64_t marks = before(found, offset, end);
    const size_t number = (size_t)__builtin_popcountll(marks);
    // The marked bytes, and their lanes, side by side.
    _mm512_storeu_si512(kinds + count, _mm512_maskz_compress_epi8(marks, vector));
    __m512i marked = _mm512_maskz_compress_epi8(marks, order);
    const __m512i from = _mm512_set1_epi32((int)offset);
    for (size_t written = 0; written < number; written += 16) {
      const __m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(marked));
      _mm512_storeu_si512(places + count + written, _mm512_add_epi32(wide, from));
      marked = _mm512_alignr_epi64(marked, marked, 2);
    }
    count += number;
  }
  return count;
}

#else
int metric_vector_level(void) { return portable; }
#endif

size_t metric_separators(int level, const uint8_t *base, size_t start, size_t end, const uint8_t wanted[3],
                         uint32_t *places, uint8_t *kinds) {
  switch (level) {
#if defined(__x86_64__)
  case avx512: return separators_avx512(base, start, end, wanted, places, kinds);
  case avx2: return separators_avx2(base, start, end, wanted, places, kinds);
#endif
  default: return separators_portable(base, start, end, wanted, places, kinds);
  }
}
