// The sizes of derivatives: in proportion, never larger than the image, at least one pixel wide and high.
import { variantSize } from "./variant.ts";

test.each<[number, number, [number, number], [number, number]]>([
  [4_000, 3_000, [1_920, 1_440], [320, 240]],
  [1_000, 333, [1_000, 333], [320, 107]],
  [200, 100, [200, 100], [200, 100]],
  [100, 40_000, [41, 16_383], [41, 16_383]],
  [40_000, 10, [1_920, 1], [320, 1]],
  [1, 40_000, [1, 16_383], [1, 16_383]],
  [1, 1, [1, 1], [1, 1]],
])("an image of %i by %i pixels becomes %j and %j", (width, height, large, thumbnail) => {
  expect(Object.values(variantSize("large", { width, height }))).toEqual(large);
  expect(Object.values(variantSize("thumbnail", { width, height }))).toEqual(thumbnail);
});
