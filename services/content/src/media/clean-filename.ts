// Cleans the name of an uploaded file. The name is only shown to people; it is never used as a path. Pure.

const CHARACTERS_MAX = 255;
// Control characters, and characters that change the direction of text: they can disguise a file's extension.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the last segment without invisible characters: 1 to 255 characters, `file` if nothing is left. */
export function cleanFilename(filename: string | undefined): string {
  const segment = (filename ?? "").split(/[/\\]/).at(-1) ?? "";
  const name = [...segment.toWellFormed().replace(INVISIBLE, "").trim()].slice(0, CHARACTERS_MAX).join("");
  return name === "" || name === "." || name === ".." ? "file" : name;
}
