// The instructions of the processor that Swift has no word for, and that the readers of data need most.

#ifndef METRIC_INTRINSICS_H
#define METRIC_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

/// Asks for the line of the cache at an address, which will be written to. Any address will do.
static inline void metric_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

/// How much this processor can: 0, 1 or 2, for `metric_separators`.
int metric_vector_level(void);

/// Writes the offsets of the bytes from `start` to before `end` that are one of three, rising, and these bytes, and
/// gives how many there are. There is room for `end - start` of them and 64 more; 64 bytes after `end` are readable.
size_t metric_separators(int level, const uint8_t *base, size_t start, size_t end, const uint8_t wanted[3],
                         uint32_t *places, uint8_t *kinds);

#if defined(__x86_64__)
#include <emmintrin.h>

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
