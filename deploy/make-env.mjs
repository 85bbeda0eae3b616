// Writes the .env that docker-compose.yml needs, from compose.env.example with a random secret for each name that has
// no value: `node deploy/make-env.mjs [file]`. Never overwrites: the databases keep the passwords they were made with.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const KEY_BYTES = 32;
const EXAMPLE = new URL("compose.env.example", import.meta.url);
const file = process.argv[2] ?? fileURLToPath(new URL("../.env", import.meta.url));

try {
  writeFileSync(file, withSecrets(readFileSync(EXAMPLE, "utf8")), { flag: "wx", mode: 0o600 });
  console.log(
    `Wrote ${file}. Keep it: the databases and the sealed secrets can be opened with nothing else.`,
  );
} catch (error) {
  if (error.code !== "EEXIST") throw error;
  console.error(
    `${file} is already there and stays as it is. Remove it first if its secrets are not in use.`,
  );
  process.exit(1);
}

function withSecrets(example) {
  return example.replace(/^([A-Z_]+)=$/gm, (_line, name) => `${name}=${secretFor(name)}`);
}

/** What each kind must look like, its service's config.ts says. Passwords stand in URLs. */
function secretFor(name) {
  if (name === "TOKEN_SIGNING_KEYS")
    return `${randomBytes(4).toString("hex")}:${randomBytes(KEY_BYTES).toString("base64")}`;
  if (name === "WEBHOOKS_SEALING_KEY") return randomBytes(KEY_BYTES).toString("base64");
  return randomBytes(KEY_BYTES).toString("base64url");
}
