// Which code this is.
import { readFileSync } from "node:fs";

/** The release, such as "1.0.0". It is the same for all packages and services. */
export const RELEASE = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;

/** The commit that the image was built from, if its build was given one. */
export const REVISION = process.env.REVISION || "unknown";
