// JSON merge patches (RFC 7396) of texts, so that members that a patch does not name keep their text. Pure.
import { memberTexts } from "./member-texts.ts";

/** Returns the text of `target` after the patch, or `target` itself if nothing changes. Both are valid JSON. */
export function mergePatch(target: string | undefined, patch: string): string {
  if (!isObject(patch)) return patch;
  const members = target === undefined ? new Map<string, string>() : memberTexts(target);
  let isChanged = target === undefined || !isObject(target);
  for (const [name, value] of memberTexts(patch)) {
    if (value === "null") {
      if (members.delete(name)) isChanged = true;
      continue;
    }
    const merged = mergePatch(members.get(name), value);
    if (merged !== members.get(name)) isChanged = true;
    members.set(name, merged);
  }
  return isChanged || target === undefined ? objectOf(members) : target;
}

/**
 * Returns the members that a patch names, with their values after it. A null stays, because it removes the member. With
 * `levels` 2, this applies to each of these members, and so on.
 */
export function changesOfPatch(target: string | undefined, patch: string, levels: number): string {
  if (levels === 0) return mergePatch(target, patch);
  if (!isObject(patch)) return patch;
  const before = target === undefined ? undefined : memberTexts(target);
  const after = Array.from(
    memberTexts(patch),
    ([name, value]) => [name, changesOfPatch(before?.get(name), value, levels - 1)] as const,
  );
  return objectOf(after);
}

function objectOf(members: Iterable<readonly [name: string, text: string]>): string {
  return `{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

function isObject(text: string): boolean {
  return text.trimStart().startsWith("{");
}
