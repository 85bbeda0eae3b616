// How deep JSON may be nested. Writing JSON, and reading it digit for digit, take a stack frame or more for each level;
// a few thousand levels end the stack. Pure.

/**
 * Neither a body nor an event is nested deeper. Callers are refused by name above 64 levels (`validate`); the rest is
 * for what stands around a caller's JSON: an order in a bulk request, the envelope of an event, a stored response.
 */
export const JSON_DEPTH_MAX = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [LIST_OPENS, LIST_CLOSES, OBJECT_OPENS, OBJECT_CLOSES] = [0x5b, 0x5d, 0x7b, 0x7d];

/** In: JSON text, valid or not. Out: whether it opens more than `levels` lists and objects within each other. */
export function isNestedDeeper(text: string, levels: number = JSON_DEPTH_MAX): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === LIST_CLOSES || code === OBJECT_CLOSES) depth -= 1;
    else if (code === LIST_OPENS || code === OBJECT_OPENS) {
      depth += 1;
      if (depth > levels) return true;
    }
  }
  return false;
}

/** In: where a string begins. Out: the position of its closing quote, or the text's length. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
