// `npm run demo` shows the platform's features on a running `npm start`; `npm run demo -- survive` shows that a private one loses
// nothing, whatever dies.
import { print, readPlatformFile } from "./read-platform-file.ts";
import { tour } from "./tour.ts";

const [name] = process.argv.slice(2);

async function show(): Promise<number> {
  if (name === undefined) return await tour(readPlatformFile()).then(() => 0);
  if (name !== "survive") throw new Error("Usage: npm run demo, or npm run demo -- survive");
  const { survive } = await import("@tradepost/chaos/survive");
  return await survive();
}

process.exitCode = await show().catch((error: Error) => {
  print(`\n${error.message}`);
  return 1;
});
