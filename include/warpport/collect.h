/* warpport/collect.h: compaction, histogram, deduplication (spec rows D1-D4).
 *
 * Cost: compact one ballot and two popcounts; compact_value one exchange more; histogram log2(bins) + 1 ballots; is_first one match. */
#ifndef WARPPORT_COLLECT_H
#define WARPPORT_COLLECT_H

#include "match.h"

typedef struct wp_compacted {
  int index; /* lower lanes that keep: the caller's slot if it keeps */
  int count; /* lanes that keep */
} wp_compacted;

/* D1 */
WPB_FN wp_compacted wp_compact(WP__MASK mask, bool keep) {
  wp_mask kept = wp_ballot(WP__TO mask, keep);
  wp_compacted c;
  c.index = wp__count_below(kept);
  c.count = wp_mask_count(kept);
  return c;
}

/* D2: the lane of rank r in mask gets the r-th kept value, its own if there are not so many. */
WPB_FN int wp__compact_source(WP__MASK mask, bool keep) {
  int lane = wp_mask_nth(wp_ballot(WP__TO mask, keep), wp__count_below(mask));
  return lane < 0 ? wp_lane() : lane;
}
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp_compact_value_##S(WP__MASK mask, WPB_ANY T v, bool keep) { return wp__pull_##S(WP__TO mask, v, wp__compact_source(WP__TO mask, keep)); }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE

/* D3: lane i gets the number of lanes of mask whose bin is i. bins: 1 ... wp_warp_size(); a bin outside is not counted. */
WPB_FN int wp_histogram(WP__MASK mask, int bin, int bins) {
  wp_mask mine;
  int b;
  WPB_NOTE_SAME(WP__SAME_BINS, bins);
  mine = wp_ballot(WP__TO mask, (unsigned)bin < (unsigned)bins);
  for (b = 0; WP__ANYONE(mask, (bins - 1) >> b != 0); b++) {
    wp_mask set = wp_ballot(WP__TO mask, (bin >> b & 1) != 0);
    if ((bins - 1) >> b != 0) mine = (wp_mask)(mine & ((wp_lane() >> b & 1) != 0 ? set : (wp_mask)~set));
  }
  return wp_lane() < bins ? wp_mask_count(mine) : 0;
}

/* D4: is this the first lane of mask with these bits? */
#define WP__DEFINE(T, S, W) \
  WPB_FN bool wp_is_first_##S(WP__MASK mask, WPB_ANY T v) { return wp__lowest(wp_match_any_##S(WP__TO mask, v)) == wp_lane(); }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE

#if WP__OVERLOADS
#define WP__DEFINE(T, S) \
  WPB_FN WP__OVERLOAD T wp_compact_value(WP__MASK mask, WPB_ANY T v, bool keep) { \
    return WP__AS(T) WP__CAT(wp_compact_value_, S)(WP__TO mask, v, keep); \
  } \
  WPB_FN WP__OVERLOAD bool wp_is_first(WP__MASK mask, WPB_ANY T v) { return WP__CAT(wp_is_first_, S)(WP__TO mask, v); }
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#elif WP__LANG_C11
#define wp_compact_value(mask, v, keep) WP__GENERIC(v, wp_compact_value)(mask, v, keep)
#define wp_is_first(mask, v) WP__GENERIC(v, wp_is_first)(mask, v)
#endif

#endif
