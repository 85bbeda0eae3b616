import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PACKAGE = path.resolve(import.meta.dirname, "..");
const TSC = path.resolve(PACKAGE, "../../node_modules/.bin/tsc");

describe("the production build", () => {
  const dist = mkdtempSync(path.join(tmpdir(), "tradepost-dist-"));
  execFileSync(TSC, ["-p", path.join(PACKAGE, "tsconfig.build.json"), "--outDir", dist]);
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  test("has an empty function in place of fail points", async () => {
    const { exports } = JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8"));
    expect(exports["./fail-point"].default).toBe("./dist/no-fail-point.js");
    const text = readFileSync(path.join(dist, "no-fail-point.js"), "utf8");
    const code = text
      .replaceAll(/^\/\/.*$/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    expect(code).toBe("export function failPoint(_name) { }");
  });

  test("has no code that kills the process or reads TRADEPOST_FAIL_AT", () => {
    const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
    expect(files).toContain("index.js");
    expect(files).not.toContain("fail-point.js");
    const texts = files.map((file) => readFileSync(path.join(dist, file), "utf8"));
    expect(texts.filter((text) => /TRADEPOST_FAIL_AT|SIGKILL/.test(text))).toEqual([]);
  });
});
