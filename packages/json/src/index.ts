export { canonicalJson } from "./canonical-json.ts";
export { isRawNumber, parseJson } from "./exact-json.ts";
export { isNestedDeeper, JSON_DEPTH_MAX } from "./json-depth.ts";
export { changesOfPatch } from "./merge-patch.ts";
export {
  elementTexts,
  type KeptMembers,
  keepTexts,
  keptTextOf,
  memberNames,
  memberTexts,
  VerbatimJson,
  verbatim,
  writeJson,
} from "./verbatim-json.ts";
