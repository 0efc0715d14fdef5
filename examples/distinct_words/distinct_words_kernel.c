/* distinct_words: how many different words does a text have?
 *
 * A word is a longest run of the ASCII letters A-Z and a-z; capitals count as small letters. The shell says the
 * same as
 *
 *     tr -cs 'A-Za-z' '\n' < FILE | tr 'A-Z' 'a-z' | sed '/^$/d' | LC_ALL=C sort -u | wc -l
 *
 * The thread of a word's first byte looks the word up in a hash table in global memory (open addressing). A slot
 * holds where the word starts in the text, plus one; 0 is a free slot. A thread claims a free slot with
 * compare-and-swap; if another word is there the letters are compared, so that equal hashes of different words do
 * no harm, and the next slot is tried.
 *
 * Common words would make hundreds of lanes hammer on the same slot. Lanes of a warp that hold the same word
 * (wp_match_any on the hash, then a look at the letters) therefore send only the lowest of them.
 */
#include <warpport/warpport.h>

/* The small letter at text[i], or 0 if there is no letter or no text. */
WP_DEVICE wp_u32 words_letter(WP_GLOBAL const wp_u8 *text, int n, int i) {
  if (i < 0 || i >= n) return 0;
  wp_u32 c = text[i];
  if (c >= 'A' && c <= 'Z') return c + ('a' - 'A');
  return c >= 'a' && c <= 'z' ? c : 0;
}

/* FNV-1a over the letters of the word that starts at i. */
WP_DEVICE wp_u32 words_hash(WP_GLOBAL const wp_u8 *text, int n, int i) {
  wp_u32 hash = 2166136261u;
  wp_u32 c;
  while ((c = words_letter(text, n, i)) != 0) {
    hash = (hash ^ c) * 16777619u;
    i++;
  }
  return hash;
}

WP_DEVICE int words_equal(WP_GLOBAL const wp_u8 *text, int n, int i, int k) {
  if (i == k) return 1;
  for (;;) {
    wp_u32 c = words_letter(text, n, i);
    if (c != words_letter(text, n, k)) return 0;
    if (c == 0) return 1;
    i++;
    k++;
  }
}

/* slots: zeroed, slot_mask + 1 of them, a power of two larger than the number of words. counts[0] += words, counts[1] +=
 * distinct words. Grid: ceil(n / threads) blocks. */
WP_KERNEL(distinct_words, WP_GLOBAL const wp_u8 *text, int n, WP_GLOBAL wp_u32 *slots, wp_u32 slot_mask,
          WP_GLOBAL wp_u32 *counts) {
  wp_mask present = wp_mask_present();
  int i = wp_block_x() * wp_block_threads() + wp_thread_rank();
  int starts = words_letter(text, n, i) != 0 && words_letter(text, n, i - 1) == 0;
  wp_mask starting = wp_ballot(present, starts);

  wp_u32 is_new = 0;
  if (starts || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the calls, some with an empty mask */
    wp_u32 hash = starts ? words_hash(text, n, i) : 0;
    wp_mask alike = wp_match_any(starts ? starting : 0, hash);
    int leader_start = wp_broadcast_first(alike, i);
    int leads = wp_mask_lowest(alike) == wp_lane();
    /* A lane whose word only shares the hash with its leader's word goes on by itself. */
    if (starts && (leads || !words_equal(text, n, leader_start, i))) {
      wp_u32 slot = hash & slot_mask;
      for (;;) {
        wp_u32 there = wp_atomic_cas(&slots[slot], 0u, (wp_u32)i + 1u);
        if (there == 0) {
          is_new = 1;
          break;
        }
        if (words_equal(text, n, (int)(there - 1), i)) break;
        slot = (slot + 1) & slot_mask;
      }
    }
  }
  wp_u32 new_words = wp_reduce_add(present, is_new);
  if (wp_elect(present)) {
    wp_atomic_add(&counts[0], (wp_u32)wp_mask_count(starting));
    wp_atomic_add(&counts[1], new_words);
  }
}
