// The name of an uploaded file: the last segment, nothing unseen, never empty, never too long.
import { describe, expect, test } from "@jest/globals";
import { filenameOf } from "./filename.ts";

describe("a filename", () => {
  test.each([
    ["a.png", "a.png"],
    ["/etc/passwd", "passwd"],
    ["C:\\x\\plan.doc", "plan.doc"],
    ["a\r\nb\u0000.txt", "ab.txt"],
    ["cod\u202egpj.exe", "codgpj.exe"],
    ["🙂".repeat(300), "🙂".repeat(255)],
    ["\ud800.png", "\ufffd.png"],
    ["folder/", "file"],
    ["..", "file"],
    [undefined, "file"],
  ])("given as %j is %j", (given, kept) => {
    expect(filenameOf(given)).toBe(kept);
  });
});
