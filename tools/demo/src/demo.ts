// `npm run demo` shows the platform's features on a running `npm start`; `npm run demo -- survive` shows that a private one loses
// nothing, whatever dies.
import { readFileSync } from "node:fs";
import path from "node:path";
import { type PlatformFile, ROOT } from "@tradepost/devstack";
import { tour } from "./tour.ts";

const [name] = process.argv.slice(2);
const DATA_DIR = path.resolve(ROOT, process.env.TRADEPOST_DATA_DIR ?? ".data");

async function show(): Promise<number> {
  if (name === undefined) return await tour(readPlatformFile(), DATA_DIR).then(() => 0);
  if (name !== "survive") throw new Error("Usage: npm run demo, or npm run demo -- survive");
  const { survive } = await import("@tradepost/chaos/survive");
  return await survive();
}

/** Throws an Error, with a message for the user, if no platform is running. */
function readPlatformFile(): PlatformFile {
  try {
    return JSON.parse(readFileSync(path.join(DATA_DIR, "stack.json"), "utf8"));
  } catch {
    throw new Error("No running platform found. Run `npm start` in another terminal first.");
  }
}

process.exitCode = await show().catch((error: Error) => {
  console.log(`\n${error.message}`);
  return 1;
});
