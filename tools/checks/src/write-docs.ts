// `npm run docs`: writes the pages that are generated from code. A test fails if one is out of date.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { eventsDocument } from "@tradepost/event-catalog";
import { API_DESCRIPTION_FILE, apiDescription, apiDescriptionText } from "./api-description.ts";
import { writeClientFiles } from "./client/client-files.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs");

await writeFile(path.join(DOCS, "events.md"), eventsDocument());
await writeFile(API_DESCRIPTION_FILE, apiDescriptionText());
await writeClientFiles(apiDescription());
