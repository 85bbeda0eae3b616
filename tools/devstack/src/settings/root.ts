import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../../../..");

/** The value of NODE_COMPILE_CACHE, which saves a program from compiling its source again at the next start. */
export const COMPILE_CACHE_DIR = path.join(ROOT, ".cache/compiled");
