// Tests which headers are refused, and which decoder is killed if memory runs short.
import {
  DECODER_BYTES_MAX,
  DECODERS_BYTES_MAX,
  decoderToKill,
  type ImageHeader,
  refusalByHeader,
} from "./image-limits.ts";

const PIXELS_MAX = 50_000_000;
const TOO_LARGE = "needs more than 320 MiB to decode";

const header = (overrides: Partial<ImageHeader>): ImageHeader => ({
  ...{ format: "png", width: 7_071, height: 7_071, channels: 3, depth: "uchar" },
  ...overrides,
});

describe("an image's header", () => {
  test.each<[string, Partial<ImageHeader>]>([
    ["50 megapixels in 8 bits", {}],
    ["50 megapixels with alpha", { channels: 4 }],
    ["50 megapixels of RGB in 16 bits", { depth: "ushort" }],
    ["a progressive JPEG of 50 megapixels", { format: "jpeg", isProgressive: true }],
    ["a JPEG of 50 megapixels in CMYK", { format: "jpeg", channels: 4 }],
    ["an AVIF of 16 megapixels", { format: "heif", width: 4_000, height: 4_000 }],
    ["an AVIF of 12 megapixels in 10 bits", { format: "heif", width: 4_000, height: 3_000, depth: "ushort" }],
  ])("allows %s", (_what, overrides) => {
    expect(refusalByHeader(header(overrides), PIXELS_MAX)).toBeNull();
  });

  test.each<[string, Partial<ImageHeader>, string]>([
    ["one pixel more", { width: 50_000_001, height: 1 }, "more than 50 megapixels"],
    ["alpha in 16 bits", { channels: 4, depth: "ushort" }, TOO_LARGE],
    ["64-bit samples", { depth: "double" }, TOO_LARGE],
    ["samples of an unknown size", { depth: "other", width: 1, height: 1 }, TOO_LARGE],
    ["a progressive JPEG in CMYK", { format: "jpeg", isProgressive: true, channels: 4 }, TOO_LARGE],
    ["an AVIF of 50 megapixels", { format: "heif" }, TOO_LARGE],
    [
      "an AVIF of 16 megapixels in 12 bits",
      { format: "heif", width: 4_000, height: 4_000, depth: "ushort" },
      TOO_LARGE,
    ],
  ])("refuses %s", (_what, overrides, reason) => {
    expect(refusalByHeader(header(overrides), PIXELS_MAX)).toBe(reason);
  });

  test("obeys the setting, and the memory limit even if the setting allows more pixels", () => {
    expect(refusalByHeader(header({}), 1_500_000)).toBe("more than 1.5 megapixels");
    expect(refusalByHeader(header({ width: 20_000, height: 10_000 }), 268_000_000)).toBe(TOO_LARGE);
  });
});

describe("the decoder to kill", () => {
  const decoders = (...sizes: number[]) => sizes.map((residentBytes) => ({ residentBytes }));

  test("is null while each decoder and their sum are within the limits", () => {
    expect(decoderToKill([])).toBeNull();
    expect(decoderToKill(decoders(DECODER_BYTES_MAX))).toBeNull();
    expect(decoderToKill(decoders(DECODERS_BYTES_MAX / 2, DECODERS_BYTES_MAX / 2))).toBeNull();
  });

  test("is the one above its limit, or the largest if together they are above theirs", () => {
    const [small, large] = decoders(1, DECODER_BYTES_MAX + 1);
    expect(decoderToKill([small, large] as { residentBytes: number }[])).toBe(large);
    const [less, more] = decoders(DECODERS_BYTES_MAX / 2, DECODERS_BYTES_MAX / 2 + 1);
    expect(decoderToKill([less, more] as { residentBytes: number }[])).toBe(more);
  });
});
