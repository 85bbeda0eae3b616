// The second step of the build: copies the files that the gateway serves into dist.
import { copyFileSync, mkdirSync } from "node:fs";
import { SOURCES } from "./served-files.ts";

const copies = new URL("../../dist/files/", import.meta.url);
mkdirSync(copies, { recursive: true });
for (const [name, source] of Object.entries(SOURCES)) copyFileSync(source(), new URL(name, copies));
