// Tells a file's type by how it begins, and which types a browser may show by itself. Names prove nothing.
import { fileTypeFromBuffer } from "file-type";

/** How many bytes are looked at: what the detection asks for. */
export const HEAD_BYTES_MAX = 4_100;

const UNKNOWN = "application/octet-stream";

// What a browser draws or plays and never runs. SVG, HTML, XML and PDF can hold programs, and are not among them.
const SHOWN = new Set([
  ...["image/jpeg", "image/png", "image/apng", "image/gif", "image/webp", "image/avif"],
  ...["video/mp4", "video/webm", "video/ogg"],
  ...["audio/mpeg", "audio/ogg", "audio/mp4", "audio/x-m4a", "audio/wav", "audio/aac", "audio/flac"],
]);

/** In: a file's first bytes. Out: its media type without parameters; what is not known is plain bytes. */
export async function contentTypeOf(head: Buffer): Promise<string> {
  // What is cut off in the middle of its headers is nothing that anyone could show.
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  return known?.mime.split(";", 1)[0]?.trim() ?? (isTiff(head) ? "image/tiff" : UNKNOWN);
}

/** Its directory, by which it is told from camera formats, may stand at the end of the file. */
function isTiff(head: Buffer): boolean {
  return ["II*\0", "MM\0*"].includes(head.toString("latin1", 0, 4));
}

/** Whether a browser that is sent the file may show it in place; all else is for saving. */
export function isShownInline(contentType: string): boolean {
  return SHOWN.has(contentType);
}
