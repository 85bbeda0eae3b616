import path from "node:path";

/** The repository's root. */
export const ROOT = path.resolve(import.meta.dirname, "../../../..");

/** For NODE_COMPILE_CACHE: a program's next start does not compile its source again. */
export const COMPILE_CACHE_DIR = path.join(ROOT, ".cache/compiled");
