// `npm run docs`: writes the pages that are generated from code. A test fails if one is out of date. `npm run docs release`
// also makes the API description the one of the last release, with which later ones are compared.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { eventsDocument } from "@tradepost/event-catalog";
import {
  API_DESCRIPTION_FILE,
  apiDescription,
  apiDescriptionText,
  RELEASED_DESCRIPTION_FILE,
} from "./api-description.ts";
import { writeClientFiles } from "./client/client-files.ts";
import { writeCollections } from "./collections/collection-files.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs");

await writeFile(path.join(DOCS, "events.md"), eventsDocument());
await writeFile(API_DESCRIPTION_FILE, apiDescriptionText());
if (process.argv.includes("release")) await writeFile(RELEASED_DESCRIPTION_FILE, apiDescriptionText());
await writeClientFiles(apiDescription());
await writeCollections(apiDescription());
