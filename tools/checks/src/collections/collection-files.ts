// Builds docs/collections: the requests of the API for Postman and Bruno. newman, the command-line program of Postman, also runs
// its file.
import { brunoCollection } from "./bruno.ts";
import { postmanCollection } from "./postman.ts";
import { foldersOf } from "./requests.ts";

const INTRODUCTION = `Every request of the Tradepost API, with the values of its examples.

Set the variable \`token\` to an API key or a dashboard token; or set \`email\` and \`password\` and send "Sign in", which sets it. A
request that creates something stores its id in a variable such as \`orderId\`, which the requests after it use. Parameters that are
not required are switched off.`;

/** Returns the text of each file by name. */
export function collectionFiles(description: Readonly<Record<string, unknown>>): Record<string, string> {
  const folders = foldersOf(description);
  const text = (collection: object) => `${JSON.stringify(collection, null, 2)}\n`;
  return {
    "tradepost.postman_collection.json": text(postmanCollection(folders, INTRODUCTION)),
    "tradepost.bruno_collection.json": text(brunoCollection(folders, INTRODUCTION)),
  };
}
