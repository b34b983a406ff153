// The instructions of the processor that Swift has no word for, and that the readers of data need most.
// All of it is inlined; nothing here is called where it is not compiled for this processor.

#ifndef METRIC_INTRINSICS_H
#define METRIC_INTRINSICS_H

#include <stdint.h>

/// Asks for the line of the cache at an address, which will be written to. Any address will do.
static inline void metric_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

#if defined(__x86_64__)
#include <emmintrin.h>

/// A bit for each of 64 bytes that is one of three: the lowest for the first byte.
static inline uint64_t metric_marks(const uint8_t *bytes, uint8_t first, uint8_t second, uint8_t third) {
  const __m128i a = _mm_set1_epi8((char)first), b = _mm_set1_epi8((char)second),
                c = _mm_set1_epi8((char)third);
  uint64_t marks = 0;
  for (int part = 3; part >= 0; part--) {
    const __m128i vector = _mm_loadu_si128((const __m128i *)(bytes + 16 * part));
    const __m128i found = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(vector, a), _mm_cmpeq_epi8(vector, b)), _mm_cmpeq_epi8(vector, c));
    marks = marks << 16 | (uint64_t)(uint32_t)_mm_movemask_epi8(found);
  }
  return marks;
}

/// A bit for each of 16 bytes that is a quote, a backslash or a control character of ASCII.
static inline uint32_t metric_string_stops(const uint8_t *bytes) {
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1F);
  const __m128i vector = _mm_loadu_si128((const __m128i *)bytes);
  const __m128i found = _mm_or_si128(
      _mm_or_si128(_mm_cmpeq_epi8(vector, quote), _mm_cmpeq_epi8(vector, backslash)),
      _mm_cmpeq_epi8(_mm_min_epu8(vector, last), vector));
  return (uint32_t)_mm_movemask_epi8(found);
}

#endif
#endif
