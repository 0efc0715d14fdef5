/* Declarations that clang's OpenCL headers lack, so that dialects of other vendors can at least be compiled. From the extensions'
 * specifications. Nothing defines these functions. */
#define WARPPORT_STUB __attribute__((overloadable))
uint WARPPORT_STUB intel_sub_group_shuffle(uint v, uint lane);
uint WARPPORT_STUB intel_sub_group_shuffle_xor(uint v, uint lane_mask);
#define CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM 1
uint WARPPORT_STUB qcom_sub_group_shuffle_xor(uint v, uint offset, int width, uint fallback);
