// docs/collections: the requests of the API for Postman and Bruno, as `npm run docs` writes them and as they are in the
// repository.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { brunoCollection } from "./bruno.ts";
import { postmanCollection } from "./postman.ts";
import { foldersOf } from "./requests.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../../docs/collections");

/** The file for Postman, which its command-line program newman runs too. */
const POSTMAN_FILE = path.join(FOLDER, "tradepost.postman_collection.json");

const INTRODUCTION = `Every request of the Tradepost API, with the values of its examples.

Set the variable \`token\` to an API key or a dashboard token; or set \`email\` and \`password\` and send "Sign in", which sets it. A
request that creates something stores its id in a variable such as \`orderId\`, which the requests after it use. Parameters that are
not required are switched off.`;

/** Writes the files. */
export async function writeCollections(description: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const [file, text] of Object.entries(textsOf(description))) await writeFile(file, text);
}

/** Returns the paths of the files that differ from what would be written. */
export async function outdatedCollections(description: Readonly<Record<string, unknown>>): Promise<string[]> {
  const outdated: string[] = [];
  for (const [file, text] of Object.entries(textsOf(description))) {
    if ((await readFile(file, "utf8").catch(() => "")) !== text) outdated.push(file);
  }
  return outdated;
}

function textsOf(description: Readonly<Record<string, unknown>>): Record<string, string> {
  const folders = foldersOf(description);
  const text = (collection: object) => `${JSON.stringify(collection, null, 2)}\n`;
  return {
    [POSTMAN_FILE]: text(postmanCollection(folders, INTRODUCTION)),
    [path.join(FOLDER, "tradepost.bruno_collection.json")]: text(brunoCollection(folders, INTRODUCTION)),
  };
}
