// Limits how deeply JSON may be nested. Writing JSON, and parsing it with a reviver, use stack frames for each level, and a few
// thousand levels overflow the stack. Pure.

/**
 * Of a request body or an event. `validate` refuses a caller's value above 64 levels; the rest is room for the JSON around it.
 */
export const JSON_DEPTH_MAX = 100;

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const [LIST_OPENS, LIST_CLOSES, OBJECT_OPENS, OBJECT_CLOSES] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reports whether lists and objects are nested more than `levels` deep. The text need not be valid JSON. */
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

/** Returns the position of the closing quote, or the text's length. */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
