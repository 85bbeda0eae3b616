// The door of this wing.
export { checkSealingKeys } from "./check-sealing-keys.ts";
export { resealAll, type Unopened } from "./reseal.ts";
export { createSealing, ownerOfHeaders, ownerOfSecret, type Sealing, SealingError } from "./seal.ts";
export { hasSealingKey, readSealingKeys, sealingKeysOf, sealingSettings } from "./sealing-keys.ts";
