// Writes the .env that docker-compose.yml needs, from compose.env.example with a random secret for each name that has
// no value: `node deploy/make-env.mjs [file]`. Never overwrites a file: the databases keep the passwords with which they
// were created. `--add` adds the names that an older file lacks.
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const KEY_BYTES = 32;
const SALT_BYTES = 4;
const EXAMPLE = new URL("compose.env.example", import.meta.url);
const isAdding = process.argv.includes("--add");
const [file = fileURLToPath(new URL("../.env", import.meta.url))] = process.argv
  .slice(2)
  .filter((word) => word !== "--add");

if (isAdding) addMissing();
else writeNew();

function writeNew() {
  try {
    writeFileSync(file, withSecrets(readFileSync(EXAMPLE, "utf8"), {}), { flag: "wx", mode: 0o600 });
    console.log(`Wrote ${file}. Keep it: it is the only copy of the passwords and the sealing key.`);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    console.error(
      `${file} already exists and was not changed. Remove it first if its secrets are not in use; ` +
        "--add adds the names that it lacks.",
    );
    process.exit(1);
  }
}

function addMissing() {
  const text = readFileSync(file, "utf8");
  const known = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );
  const names = [...readFileSync(EXAMPLE, "utf8").matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name);
  const missing = names.filter((name) => !(name in known));
  const lines = withSecrets(missing.map((name) => `${name}=\n`).join(""), known);
  appendFileSync(file, text.endsWith("\n") ? lines : `\n${lines}`);
  console.log(
    missing.length === 0 ? `${file} has every name already.` : `Added to ${file}: ${missing.join(", ")}.`,
  );
}

/** Completes each line that has no value; `known` has the existing values. */
function withSecrets(lines, known) {
  const values = { ...known };
  return lines.replace(/^([A-Z_]+)=$/gm, (_line, name) => {
    values[name] = secretFor(name, values);
    return `${name}=${values[name]}`;
  });
}

/** The format of each kind is in its service's config.ts. Passwords are parts of URLs, so they are base64url. */
function secretFor(name, values) {
  if (name.endsWith("_HASH")) return hashOf(values[name.slice(0, -"_HASH".length)]);
  if (name === "TOKEN_SIGNING_KEYS")
    return `${randomBytes(4).toString("hex")}:${randomBytes(KEY_BYTES).toString("base64")}`;
  if (name === "WEBHOOKS_SEALING_KEY") return randomBytes(KEY_BYTES).toString("base64");
  return randomBytes(KEY_BYTES).toString("base64url");
}

/** Hashes as RabbitMQ does. */
function hashOf(password) {
  const salt = randomBytes(SALT_BYTES);
  const hash = createHash("sha256").update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString("base64");
}
