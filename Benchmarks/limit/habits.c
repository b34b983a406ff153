/* The habit metrics by hand, as fast as plain C goes: what is left of the problem when nothing is checked.
 *
 *     habits INPUT.csv OUTPUT.csv THREADS
 *
 * It knows the columns and their order, no quotes, no bad rows, ids of at most 32 bytes, amounts of at most two
 * digits behind the point, and days of one year. One open-addressing table for each thread has a slot a habit:
 * its id, the sum of its amounts and a bit for each day before 2026-06-30.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#endif

enum { WORDS = 6, LAST_DAY = 20634 /* 2026-06-30 since 1970 */, CHUNK = 256 << 10, MARGIN = 1 << 12, BATCH = 128 };

typedef struct {
  uint64_t key[4], bits[WORDS], hash;
  int64_t cents;
  uint32_t length;
} Habit;

/* A row that has been read and waits for its slot to come from memory. */
typedef struct {
  uint64_t key[4], hash;
  int64_t cents;
  int ago;
  uint32_t length;
} Row;

typedef struct {
  Habit *slots;
  uint64_t mask, count;
  int file;
  size_t from, to;
} Worker;

static int month_start[200][13];

static int day_number(int year, int month, int day) {
  year -= month <= 2;
  int era = year / 400, y = year - era * 400;
  int in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + y * 365 + y / 4 - y / 100 + in_year - 719468;
}

static void *zeroed(size_t size) {
  void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(1);
#ifdef MADV_HUGEPAGE
  madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}

static inline uint64_t mixed(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void grow(Worker *worker) {
  Worker larger = *worker;
  larger.mask = worker->mask * 2 + 1;
  larger.slots = zeroed((larger.mask + 1) * sizeof(Habit));
  for (uint64_t i = 0; i <= worker->mask; i++) {
    if (!worker->slots[i].length) continue;
    uint64_t place = worker->slots[i].hash & larger.mask;
    while (larger.slots[place].length) place = (place + 1) & larger.mask;
    larger.slots[place] = worker->slots[i];
  }
  munmap(worker->slots, (worker->mask + 1) * sizeof(Habit));
  *worker = larger;
}

/* The slot of a habit; a new one has the length 0, which the caller fills in. */
static inline Habit *find(Worker *worker, const uint64_t key[4], uint64_t hash) {
  for (uint64_t place = hash & worker->mask;; place = (place + 1) & worker->mask) {
    Habit *habit = &worker->slots[place];
    if (habit->key[0] == key[0] && habit->key[1] == key[1] && habit->key[2] == key[2] && habit->key[3] == key[3])
      return habit;
    if (habit->length) continue;
    if (worker->count * 2 >= worker->mask) {
      grow(worker);
      return find(worker, key, hash);
    }
    worker->count++;
    memcpy(habit->key, key, 32);
    habit->hash = hash;
    return habit;
  }
}

/* A bit for each of 64 bytes that is a comma or ends a line. */
static inline uint64_t separators(const char *bytes) {
#if defined(__AVX512BW__)
  __m512i block = _mm512_loadu_si512(bytes);
  return _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(',')) | _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n'));
#elif defined(__AVX2__)
  uint64_t mask = 0;
  for (int half = 0; half < 2; half++) {
    __m256i block = _mm256_loadu_si256((const __m256i *)(bytes + 32 * half));
    __m256i found = _mm256_or_si256(
        _mm256_cmpeq_epi8(block, _mm256_set1_epi8(',')), _mm256_cmpeq_epi8(block, _mm256_set1_epi8('\n')));
    mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(found) << 32 * half;
  }
  return mask;
#else
  uint64_t mask = 0;
  for (int i = 0; i < 64; i++) mask |= (uint64_t)(bytes[i] == ',' || bytes[i] == '\n') << i;
  return mask;
#endif
}

static inline int64_t amount(const char *at, const char *end) {
  int64_t cents = 0;
  int digits = -1;
  for (; at < end; at++) {
    if (*at == '.') {
      digits = 0;
    } else {
      cents = cents * 10 + *at - '0';
      digits += digits >= 0;
    }
  }
  return cents * (digits <= 0 ? 100 : digits == 1 ? 10 : 1);
}

/* `ends` has the places of the row's seven separators. */
static inline void read_row(Row *row, const char *base, const uint32_t *ends) {
  const char *habit = base + ends[1] + 1, *day = base + ends[2] + 1;
  row->length = ends[2] - ends[1] - 1;
  memcpy(row->key, habit, 32);
  for (int i = 0; i < 4; i++) {
    int kept = (int)row->length - 8 * i;
    row->key[i] = kept <= 0 ? 0 : kept < 8 ? row->key[i] & ((1ull << 8 * kept) - 1) : row->key[i];
  }
  row->hash = mixed(row->key[0] ^ 0x9E3779B97F4A7C15ull, row->key[1] ^ 0xD6E8FEB86659FD93ull) ^
              mixed(row->key[2] ^ 0xA0761D6478BD642Full, row->key[3] ^ 0xE7037ED1A0B428DBull);
  int year = (day[0] - '0') * 1000 + (day[1] - '0') * 100 + (day[2] - '0') * 10 + day[3] - '0';
  int month = (day[5] - '0') * 10 + day[6] - '0', of_month = (day[8] - '0') * 10 + day[9] - '0';
  row->ago = LAST_DAY - (month_start[year - 1900][month] + of_month - 1);
  row->cents = amount(base + ends[4] + 1, base + ends[5]);
}

static inline void add(Worker *worker, const Row *rows, int count) {
  for (int i = 0; i < count; i++) {
    const Row *row = &rows[i];
    Habit *habit = find(worker, row->key, row->hash);
    habit->length = row->length;
    habit->cents += row->cents;
    if (row->ago >= 0 && row->ago < WORDS * 64) habit->bits[row->ago >> 6] |= 1ull << (row->ago & 63);
  }
}

/* Whole rows in `base[0] ..< base[size]`; behind them 64 bytes can be read. */
static void read_rows(Worker *worker, const char *base, size_t size) {
  uint32_t ends[64 + 7];
  int have = 0, waiting = 0;
  Row rows[BATCH];
  for (size_t block = 0; block < size; block += 64) {
    uint64_t mask = separators(base + block);
    if (size - block < 64) mask &= (1ull << (size - block)) - 1;
    for (; mask; mask &= mask - 1) {
      ends[have++] = block + __builtin_ctzll(mask);
      if (have < 7) continue;
      have = 0;
      if (ends[6] != ends[5] + 1) continue; /* deleted */
      read_row(&rows[waiting], base, ends);
      __builtin_prefetch(&worker->slots[rows[waiting].hash & worker->mask], 1);
      __builtin_prefetch((char *)&worker->slots[rows[waiting].hash & worker->mask] + 64, 1);
      if (++waiting == BATCH) {
        add(worker, rows, BATCH);
        waiting = 0;
      }
    }
  }
  add(worker, rows, waiting);
}

static void *work(void *argument) {
  Worker *worker = argument;
  worker->mask = (1 << 16) - 1;
  worker->slots = zeroed((worker->mask + 1) * sizeof(Habit));
  char *buffer = (char *)zeroed(CHUNK + 2 * MARGIN) + MARGIN;
  size_t have = 0;
  for (size_t offset = worker->from; offset < worker->to || have;) {
    size_t wanted = CHUNK - have < worker->to - offset ? CHUNK - have : worker->to - offset;
    ssize_t got = wanted ? pread(worker->file, buffer + have, wanted, offset) : 0;
    if (got < 0) exit(1);
    offset += got;
    have += got;
    char *last = memrchr(buffer, '\n', have);
    if (!last) break;
    size_t whole = last + 1 - buffer;
    read_rows(worker, buffer, whole);
    have -= whole;
    memmove(buffer, buffer + whole, have);
  }
  return 0;
}

static void merge(Worker *into, Worker *from) {
  for (uint64_t i = 0; i <= from->mask; i++) {
    Habit *habit = &from->slots[i];
    if (!habit->length) continue;
    Habit *sum = find(into, habit->key, habit->hash);
    sum->length = habit->length;
    sum->cents += habit->cents;
    for (int word = 0; word < WORDS; word++) sum->bits[word] |= habit->bits[word];
  }
}

static int is_done(const Habit *habit, int ago) {
  return ago < WORDS * 64 && (habit->bits[ago >> 6] >> (ago & 63) & 1);
}

/* A comma and a number. */
static char *number(char *at, int64_t value) {
  char digits[24];
  int count = 0;
  do digits[count++] = '0' + value % 10;
  while (value /= 10);
  *at++ = ',';
  while (count) *at++ = digits[--count];
  return at;
}

static void write_habit(FILE *file, const Habit *habit) {
  int completed = 0, current = 0, best = 0, run = 0, recent = 0, weeks = 0;
  for (int word = 0; word < WORDS; word++) completed += __builtin_popcountll(habit->bits[word]);
  while (is_done(habit, current)) current++;
  for (int ago = 0; ago < WORDS * 64; ago++) {
    run = is_done(habit, ago) ? run + 1 : 0;
    best = run > best ? run : best;
  }
  for (int ago = 0; ago < 7; ago++) recent += is_done(habit, ago);
  for (;; weeks++) {
    int days = 0;
    for (int ago = weeks * 7; ago < weeks * 7 + 7; ago++) days += is_done(habit, ago);
    if (days < 3) break;
  }
  static const char *shares[] = {"0", "0.333333", "0.666667", "1"};
  char line[256], *at = line;
  memcpy(at, habit->key, habit->length);
  at += habit->length;
  at = number(at, completed);
  at = number(at, current);
  at = number(at, best);
  at = number(at, recent);
  *at++ = ',';
  at = stpcpy(at, shares[recent < 3 ? recent : 3]);
  at = number(at, weeks);
  at = number(at, habit->cents / 100);
  *at++ = '.';
  *at++ = '0' + habit->cents / 10 % 10;
  *at++ = '0' + habit->cents % 10;
  *at++ = '\n';
  fwrite(line, 1, at - line, file);
}

int main(int count, char **arguments) {
  if (count != 4) return fprintf(stderr, "usage: habits INPUT.csv OUTPUT.csv THREADS\n"), 64;
  for (int year = 0; year < 200; year++)
    for (int month = 1; month <= 12; month++) month_start[year][month] = day_number(1900 + year, month, 1);
  int threads = atoi(arguments[3]), file = open(arguments[1], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) || threads < 1 || threads > 64) return 1;
  Worker workers[64] = {0};
  pthread_t handles[64];
  size_t size = status.st_size, previous = 0;
  char line[MARGIN];
  for (int i = 0; i <= threads; i++) {
    /* Each part starts behind a line end; the first behind the names of the columns. */
    size_t cut = i == threads ? size : size / threads * i;
    if (i < threads) {
      ssize_t got = pread(file, line, sizeof line, cut);
      char *end = got > 0 ? memchr(line, '\n', got) : 0;
      cut = end ? cut + (end - line) + 1 : size;
    }
    if (i > 0) workers[i - 1] = (Worker){.file = file, .from = previous, .to = cut};
    previous = cut;
  }
  for (int i = 1; i < threads; i++) pthread_create(&handles[i], 0, work, &workers[i]);
  work(&workers[0]);
  for (int i = 1; i < threads; i++) {
    pthread_join(handles[i], 0);
    merge(&workers[0], &workers[i]);
  }
  FILE *output = fopen(arguments[2], "w");
  if (!output) return 1;
  fputs("habitId,completed,current_streak,best_streak,momentum7,weekly_completion,weekly_streak,total\n", output);
  for (uint64_t i = 0; i <= workers[0].mask; i++)
    if (workers[0].slots[i].length) write_habit(output, &workers[0].slots[i]);
  return fclose(output) != 0;
}
