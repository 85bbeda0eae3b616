export { canonicalJson, canonicalParts } from "./canonical-json.ts";
export { isRawNumber, parseJson } from "./exact-json.ts";
export { isNestedDeeper, JSON_DEPTH_MAX } from "./json-depth.ts";
export { elementTexts, memberNames, memberTexts } from "./member-texts.ts";
export { changesOfPatch } from "./merge-patch.ts";
export { keepTexts, ReceivedJson, VerbatimJson, writeJson } from "./verbatim-json.ts";
