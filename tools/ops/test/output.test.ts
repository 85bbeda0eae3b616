// `npm run ops` with a standard output that accepts nothing.
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");

test("a command whose output is on a full disk fails with one sentence", () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "ops", "--", "--help"], {
    ...{ cwd: ROOT, encoding: "utf8" },
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "The output could not be written: ENOSPC: no space left on device, write\n",
  });
});

test("a command whose reader ends succeeds", () => {
  const command = "npm run --silent ops -- --help; echo $? >&2";
  const { stderr } = spawnSync("bash", ["-c", `(${command}) | true`], { cwd: ROOT, encoding: "utf8" });
  expect(stderr).toBe("0\n");
});
