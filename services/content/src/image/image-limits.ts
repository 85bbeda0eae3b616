// Which images are decoded at all, judged by their headers: few bytes can say that they are a wall of pixels. Pure.

/** What an image's header says of it: the part of sharp's metadata that decides how much memory its decoder takes. */
export interface ImageHeader {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Of one sample, in libvips's words: `uchar`, `ushort`, `float`. */
  readonly depth: string;
  readonly isProgressive?: boolean | undefined;
}

const MIB = 1024 * 1024;

/** A decoder's resident memory: Node and libvips take 70 MiB of it before they see an image. */
export const DECODER_BYTES_MAX = 512 * MIB;

/**
 * Of all decoders of a process. With the service itself that stays below 1 GiB. Two of the largest images that are
 * decoded take 810 MiB.
 */
export const DECODERS_BYTES_MAX = 832 * MIB;

/** What decoding may take by the header. 50 megapixels of 16-bit RGB fit. */
const DECODED_BYTES_MAX = 320 * MIB;

const SAMPLE_BYTES: Readonly<Record<string, number>> = {
  ...{ uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 },
  ...{ complex: 8, double: 8, dpcomplex: 16 },
};
// Measured with libheif 1.23 and aom 3.15: the decoder keeps several copies of the whole image.
const AVIF_PIXEL_BYTES = 20;
const AVIF_DEEP_PIXEL_BYTES = 26;
// All of a progressive JPEG's coefficients are kept, 16 bits each, until its last scan.
const COEFFICIENT_BYTES = 2;

/** Out: why the image is not decoded, in words for whoever uploaded it, or null where it may be. */
export function refusalByHeader(header: ImageHeader, pixelsMax: number): string | null {
  if (header.width * header.height > pixelsMax) return `more than ${pixelsMax / 1_000_000} megapixels`;
  if (decodedBytes(header) > DECODED_BYTES_MAX)
    return `needs more than ${DECODED_BYTES_MAX / MIB} MiB to decode`;
  return null;
}

/** The most that decoding holds at a time: the whole image, where its format cannot be read line by line. */
function decodedBytes({ format, width, height, channels, depth, isProgressive }: ImageHeader): number {
  const pixels = width * height;
  const sampleBytes = SAMPLE_BYTES[depth] ?? Number.POSITIVE_INFINITY;
  if (format === "heif") return pixels * (sampleBytes === 1 ? AVIF_PIXEL_BYTES : AVIF_DEEP_PIXEL_BYTES);
  if (format === "jpeg" && isProgressive) return pixels * channels * COEFFICIENT_BYTES;
  return pixels * channels * sampleBytes;
}

export interface DecoderInHand {
  readonly residentBytes: number;
}

/** Out: the decoder to end because it, or all of them together, take too much memory; null where none does. */
export function decoderToEnd<Decoder extends DecoderInHand>(decoders: readonly Decoder[]): Decoder | null {
  const [largest] = decoders.toSorted((one, other) => other.residentBytes - one.residentBytes);
  if (largest === undefined) return null;
  const allBytes = decoders.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
  return largest.residentBytes > DECODER_BYTES_MAX || allBytes > DECODERS_BYTES_MAX ? largest : null;
}
