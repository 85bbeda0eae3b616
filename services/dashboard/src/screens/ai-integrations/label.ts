/** The longest label of a key, in characters. */
export const LABEL_CHARACTERS_MAX = 200;
