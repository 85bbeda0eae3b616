// The name of an uploaded file: the last segment, without invisible characters, never empty, at most 255 characters.
import { describe, expect, test } from "@jest/globals";
import { cleanFilename } from "./receive-upload.ts";

describe("the filename", () => {
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
  ])("%j becomes %j", (filename, cleaned) => {
    expect(cleanFilename(filename)).toBe(cleaned);
  });
});
