// Detects a file's media type from its first bytes, whatever its name says, and knows which types a browser may show.
import { fileTypeFromBuffer } from "file-type";

/** How many bytes the detection needs. */
export const HEAD_BYTES_MAX = 4_100;

const UNKNOWN = "application/octet-stream";

// Types that a browser displays or plays without running anything. SVG, HTML, XML and PDF can contain programs.
const SAFE_INLINE = new Set([
  ...["image/jpeg", "image/png", "image/apng", "image/gif", "image/webp", "image/avif"],
  ...["video/mp4", "video/webm", "video/ogg"],
  ...["audio/mpeg", "audio/ogg", "audio/mp4", "audio/x-m4a", "audio/wav", "audio/aac", "audio/flac"],
]);

/** `head` is the beginning of the file. Returns the type without parameters, `application/octet-stream` if unknown. */
export async function detectContentType(head: Buffer): Promise<string> {
  // The detection throws for a file that ends within its headers.
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  return known?.mime.split(";", 1)[0]?.trim() ?? (isTiff(head) ? "image/tiff" : UNKNOWN);
}

/** `file-type` needs a TIFF's directory, to rule out camera formats; it may be at the end of the file. */
function isTiff(head: Buffer): boolean {
  return ["II*\0", "MM\0*"].includes(head.toString("latin1", 0, 4));
}

/** Whether a browser may show the file; it must save any other file. */
export function isSafeInline(contentType: string): boolean {
  return SAFE_INLINE.has(contentType);
}
