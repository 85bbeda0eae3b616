// An image is refused by its header if decoding it could take too much memory: a few bytes can have 50 million pixels. Pure.

export interface ImageHeader {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly depth: string;
  readonly isProgressive?: boolean | undefined;
}

const MIB = 1024 * 1024;

/** Resident memory of one decoder. Node and libvips take 70 MiB before they read an image. */
export const DECODER_BYTES_MAX = 512 * MIB;

/** All decoders together: with the service, below 1 GiB. Two of the largest allowed images take 810 MiB. */
export const DECODERS_BYTES_MAX = 832 * MIB;

/** Computed from the header. 50 megapixels of 16-bit RGB fit. */
const DECODED_BYTES_MAX = 320 * MIB;

const SAMPLE_BYTES: Readonly<Record<string, number>> = {
  ...{ uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 },
  ...{ complex: 8, double: 8, dpcomplex: 16 },
};
// Measured with libheif 1.23 and aom 3.15, which hold several copies of the image.
const AVIF_PIXEL_BYTES = 20;
const AVIF_DEEP_PIXEL_BYTES = 26;
// A progressive JPEG's coefficients stay in memory until the last scan.
const COEFFICIENT_BYTES = 2;

/** The reason, as the tenant reads it, or null. */
export function refusalByHeader(header: ImageHeader, pixelsMax: number): string | null {
  if (header.width * header.height > pixelsMax) return `more than ${pixelsMax / 1_000_000} megapixels`;
  if (decodedBytes(header) > DECODED_BYTES_MAX)
    return `needs more than ${DECODED_BYTES_MAX / MIB} MiB to decode`;
  return null;
}

function decodedBytes({ format, width, height, channels, depth, isProgressive }: ImageHeader): number {
  const pixels = width * height;
  const sampleBytes = SAMPLE_BYTES[depth] ?? Number.POSITIVE_INFINITY;
  if (format === "heif") return pixels * (sampleBytes === 1 ? AVIF_PIXEL_BYTES : AVIF_DEEP_PIXEL_BYTES);
  if (format === "jpeg" && isProgressive) return pixels * channels * COEFFICIENT_BYTES;
  return pixels * channels * sampleBytes;
}

export interface RunningDecoder {
  readonly residentBytes: number;
}

/** The largest decoder, if it or all together are above the limit. */
export function decoderToKill<Decoder extends RunningDecoder>(decoders: readonly Decoder[]): Decoder | null {
  const [largest] = decoders.toSorted((one, other) => other.residentBytes - one.residentBytes);
  if (largest === undefined) return null;
  const allBytes = decoders.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
  return largest.residentBytes > DECODER_BYTES_MAX || allBytes > DECODERS_BYTES_MAX ? largest : null;
}
