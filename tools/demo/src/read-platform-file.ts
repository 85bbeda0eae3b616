// Reads the stack.json in which `npm start` describes the running platform.
import { readFileSync } from "node:fs";
import path from "node:path";
import { type PlatformFile, ROOT } from "@tradepost/devstack";

export type Platform = PlatformFile & { readonly dataDir: string };

/** Throws an Error, with a message for the user, if no platform is running. */
export function readPlatformFile(): Platform {
  const dataDir = path.resolve(ROOT, process.env.TRADEPOST_DATA_DIR ?? ".data");
  try {
    return { dataDir, ...JSON.parse(readFileSync(path.join(dataDir, "stack.json"), "utf8")) };
  } catch {
    throw new Error("No running platform found. Run `npm start` in another terminal first.");
  }
}

export function print(line: string): void {
  console.log(line);
}

export function heading(title: string): void {
  console.log(`\n${title}\n${"─".repeat(title.length)}`);
}

export function request(method: string, path: string, body: unknown): void {
  console.log(`   ${method} ${path}  ${JSON.stringify(body)}`);
}

export function detail(fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    console.log(`   → ${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
  }
}
