// Makes an animated PNG of pictures that a browser has taken, https://www.w3.org/TR/png-3/#apng-frame-based-animation.
import { crc32 } from "node:zlib";

interface Frame {
  /** The first frame fills the picture; all have the same colour type. */
  readonly png: Buffer;
  readonly ms: number;
  /** The left edge of the part that the frame replaces. */
  readonly x?: number;
}

const SIGNATURE_BYTES = 8;
const FRAMING_BYTES = 12;

/** Repeats without end. */
export function animatedPicture(frames: readonly Frame[]): Buffer {
  let sequence = 0;
  const body = frames.flatMap(({ png, ms, x = 0 }, index) => {
    const chunks = [...chunksOf(png)];
    const size = chunks[0]?.data.subarray(0, 8) ?? Buffer.alloc(0);
    const control = Buffer.concat([uint32(sequence++), size, uint32(x), uint32(0), Buffer.alloc(6)]);
    control.writeUInt16BE(ms, 20);
    control.writeUInt16BE(1_000, 22);
    const data = chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data);
    const images = data.map((bytes) =>
      index === 0 ? chunk("IDAT", bytes) : chunk("fdAT", Buffer.concat([uint32(sequence++), bytes])),
    );
    return [chunk("fcTL", control), ...images];
  });
  const first = frames[0]?.png ?? Buffer.alloc(0);
  return Buffer.concat([
    first.subarray(0, SIGNATURE_BYTES),
    chunk("IHDR", [...chunksOf(first)][0]?.data ?? Buffer.alloc(0)),
    chunk("acTL", Buffer.concat([uint32(frames.length), uint32(0)])),
    ...body,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    yield { type: png.toString("latin1", at + 4, at + 8), data };
    at += FRAMING_BYTES + length;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
