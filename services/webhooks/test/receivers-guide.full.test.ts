// Runs each program of the receivers' guide and sends it deliveries that the product signs. A language that is not
// installed is skipped.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createAuthority, startReceiver } from "@tradepost/testing";
import { signatureHeaders } from "../src/endpoint/signature.ts";
import { behavesAsReceiver } from "./support/behaves-as-receiver.ts";
import { isInstalled } from "./support/receiver-program.ts";

// The command that succeeds if the machine can run the example.
const NEEDS: Readonly<Record<string, string>> = {
  mts: "node --version",
  py: "python3 -c 'import sqlite3'",
  go: "go version",
  php: "php --version",
  rb: "ruby -e 'require \"openssl\"'",
};

const DOCS = path.resolve(import.meta.dirname, "../../../docs");
const GUIDE = readFileSync(path.join(DOCS, "receiving-webhooks.md"), "utf8");
const programs = readdirSync(path.join(DOCS, "receivers")).map((file) => ({
  file,
  code: readFileSync(path.join(DOCS, "receivers", file), "utf8"),
}));

for (const { file, code } of programs) {
  const needs = NEEDS[path.extname(file).slice(1)] ?? "false";
  const name = `the guide's receiver ${file}`;
  // A Standard Webhooks library does not check the platform's own signature.
  const checksBoth = !code.includes("new Webhook(");
  if (isInstalled(needs)) describe(name, () => behavesAsReceiver(code, checksBoth));
  else describe.skip(name, () => test(`(if "${needs}" succeeds)`, () => {}));
}

describe("the receivers' guide", () => {
  test("has a receiver in each language that it names", () => {
    expect(programs.map(({ file }) => file).sort()).toEqual(
      linksUnder("Complete receivers", /^receivers\/(.+)$/).sort(),
    );
    expect(programs).toHaveLength(7);
  });

  test("shows a delivery with valid signatures", () => {
    const [head = "", body = ""] = codeUnder("What arrives", /^POST /)
      .trimEnd()
      .split("\n\n");
    const lines = head.split("\n").slice(1);
    const headers = Object.fromEntries(lines.map((line) => line.split(": ", 2) as [string, string]));
    const { id, type, delivered_at } = JSON.parse(body);
    const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const signatures = signatureHeaders(secret, id, new Date(delivered_at), Buffer.from(body));
    expect(headers).toMatchObject({
      ...signatures,
      "X-service-Delivery": id,
      "X-service-Event": type,
      "Content-Length": String(Buffer.byteLength(body)),
    });
  });

  const testWithOpenssl = isInstalled("openssl version") ? test : test.skip;
  testWithOpenssl(
    "has commands that make a certificate of the local authority (if openssl is installed)",
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), "tradepost-certificate-"));
      await mkdir(path.join(folder, ".data/ca"), { recursive: true });
      const authority = await createAuthority();
      await writeFile(path.join(folder, ".data/ca/authority.crt"), authority.certificate);
      await writeFile(path.join(folder, ".data/ca/authority.key"), authority.key);
      const commands = codeUnder("Receive on your own machine", /openssl/);
      await promisify(execFile)("bash", ["-ec", commands], { cwd: folder });
      const [certificate, key] = await Promise.all(
        ["receiver.crt", "receiver.key"].map((file) => readFile(path.join(folder, file), "utf8")),
      );
      const receiver = await startReceiver({ certificate: certificate ?? "", key: key ?? "" });
      for (const host of ["localhost", "127.0.0.1"]) {
        const [response] = await once(
          https.get(receiver.url.replace("localhost", host), { ca: authority.certificate, agent: false }),
          "response",
        );
        expect([host, response.statusCode]).toEqual([host, 200]);
        response.resume();
      }
      await receiver.stop();
      await rm(folder, { recursive: true });
    },
  );
});

/** The only block under that heading whose code matches. */
function codeUnder(heading: string, pattern: RegExp): string {
  const found = codeBlocks().filter((block) => block.heading === heading && pattern.test(block.code));
  const [block] = found;
  if (block === undefined || found.length > 1) {
    throw new Error(`the guide has ${found.length} such blocks under "${heading}", not one`);
  }
  return block.code;
}

/** Every fenced block in order, with the nearest heading above it. */
function codeBlocks() {
  const blocks: { heading: string; code: string }[] = [];
  let heading = "";
  for (const [, title, code] of GUIDE.matchAll(/^#+ (.+)$|^```\w+\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined && code === undefined) heading = title;
    if (code !== undefined) blocks.push({ heading, code });
  }
  return blocks;
}

/** The first group of the pattern in each link under that heading that matches it. */
function linksUnder(heading: string, pattern: RegExp): string[] {
  const section = GUIDE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const targets = [...section.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.flatMap((target) => pattern.exec(target)?.[1] ?? []);
}
