/* all.c: the list of the examples, for warpport-demo. */
#include "example.h"

extern const ex_example ex_column_stats, ex_prefix_sum, ex_stream_compaction, ex_byte_histogram, ex_distinct_words,
  ex_softmax_rmsnorm, ex_bitonic_sort, ex_aggregated_append, ex_fft_butterfly;

const ex_example *const ex_all[] = {
  &ex_column_stats, &ex_prefix_sum, &ex_stream_compaction, &ex_byte_histogram, &ex_distinct_words, &ex_softmax_rmsnorm,
  &ex_bitonic_sort, &ex_aggregated_append, &ex_fft_butterfly, NULL,
};
