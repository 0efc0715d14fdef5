/* Looks at the images that warpport_add_kernels() put into this program. */
#include <stdio.h>
#include <string.h>

#include "backend.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (void)(failures++, printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #x)))

static int holds(const wp__image *image, const char *text) {
  size_t n = strlen(text);
  const char *data = (const char *)image->data;
  for (size_t i = 0; i + n <= image->bytes; i++) {
    if (memcmp(data + i, text, n) == 0) return 1;
  }
  return 0;
}

int main(void) {
  int opencl = 0, cuda = 0;
  for (const wp__image *image = wp__first_image(); image; image = image->next) {
    printf("kind %d, %s, %zu bytes\n", (int)image->kind, image->name, image->bytes);
    CHECK(strcmp(image->name, "sum.c") == 0);
    if (image->kind == WP_IMAGE_OPENCL_SOURCE) {
      opencl++;
      CHECK(((const char *)image->data)[image->bytes] == 0);
      CHECK(strlen((const char *)image->data) == image->bytes);
      CHECK(holds(image, "#define SUM_NAME sum_of_images"));
      CHECK(holds(image, "WP_KERNEL(SUM_NAME,"));
      CHECK(holds(image, "#line 1 \"sum.c\""));
      CHECK(holds(image, "#define WARPPORT_CONFIG_H")); /* the header is inside */
      CHECK(!holds(image, "\n#include <warpport") && !holds(image, "\n#include \""));
    } else if (image->kind == WP_IMAGE_CUDA) {
      cuda++;
      CHECK(image->bytes > 64 && memcmp(image->data, "\x50\xed\x55\xba", 4) == 0); /* the fatbin's magic number */
      /* The names inside are compressed in some forms. */
    } else {
      CHECK(!"an image of another kind");
    }
  }
  CHECK(opencl == 1);
#ifdef EXPECT_CUDA
  CHECK(cuda == 1);
#else
  CHECK(cuda == 0);
#endif
  wp_device *dev = NULL;
  wp_kernel *kernel = NULL;
  CHECK(wp_device_open("cpu:32", &dev) == WP_OK);
  CHECK(wp_kernel_find(dev, "sum_of_images", &kernel) == WP_OK);
  wp_device_close(dev);
  printf("%d failures\n", failures);
  return failures != 0;
}
