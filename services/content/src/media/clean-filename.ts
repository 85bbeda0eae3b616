// The name under which an uploaded file is kept: for people to see, never a path. Pure.

const CHARACTERS_MAX = 255;
// Also what turns the direction of writing, by which a name looks as if it ended in another way.
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** In: what the client said. Out: the last segment, without control characters, at most 255 characters, never empty. */
export function filenameOf(given: string | undefined): string {
  const segment = (given ?? "").split(/[/\\]/).at(-1) ?? "";
  const name = [...segment.toWellFormed().replace(UNSEEN, "").trim()].slice(0, CHARACTERS_MAX).join("");
  return name === "" || name === "." || name === ".." ? "file" : name;
}
