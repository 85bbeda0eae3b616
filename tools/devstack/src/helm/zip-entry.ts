// Reads one file of a zip archive smaller than 4 GiB. Neither Node nor Debian's base system can unpack zip.
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;

/** Returns the file. Throws if the archive has no such file. */
export function readZipEntry(archive: string, name: string): Buffer {
  const zip = readFileSync(archive);
  let end = zip.length - END_BYTES;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error(`${archive} is not a zip archive`);
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const nameLength = zip.readUInt16LE(at + 28);
    const entryName = zip.toString(
      "utf8",
      at + DIRECTORY_ENTRY_BYTES,
      at + DIRECTORY_ENTRY_BYTES + nameLength,
    );
    if (entryName === name) return contentOf(zip, at);
    at += DIRECTORY_ENTRY_BYTES + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`${archive} has no ${name}`);
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const header = zip.readUInt32LE(entry + 42);
  const start = header + LOCAL_HEADER_BYTES + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const stored = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
  return zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(stored) : Buffer.from(stored);
}
