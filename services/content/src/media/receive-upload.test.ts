// The name of an uploaded file: `filename*` or else `filename`, its last segment, 1 to 255 characters, all visible.
import { cleanFilename, dispositionOf } from "./receive-upload.ts";

describe("the filename", () => {
  test.each([
    ["filename=\"na_ve.txt\"; filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"],
    ["filename*=UTF-8''na%C3%AFve.txt; filename=\"na_ve.txt\"", "naïve.txt"],
    ["filename=\"=?utf-8?B?bmHDr3ZlLnR4dA==?=\"; filename*=utf-8'en'na%C3%AFve.txt", "naïve.txt"],
    ["filename=a.txt; FileName*=iso-8859-1''na%EFve.txt", "naïve.txt"],
    ["filename*=UTF-8''%ff.txt; filename=a.txt", "a.txt"],
    ["filename=a.txt; filename*=UTF-8''%ff.txt", "a.txt"],
    ["filename=a.txt; filename*=windows-1252''b.txt", "a.txt"],
    ["filename=a.txt; filename*=b.txt", "a.txt"],
    ['filename="naïve.txt"', "naïve.txt"],
    ['filename="a%22b%.txt"', 'a"b%.txt'],
    ['filename="a\\"b.txt"', 'a"b.txt'],
    ['filename="C:\\x\\plan.doc"', "C:\\x\\plan.doc"],
    ["filename*=UTF-8''%ff", undefined],
  ])("of a part with %s is %s", (parameters, filename) => {
    const header = Buffer.from(`form-data; name="file"; ${parameters}`).toString("latin1");
    expect(dispositionOf({ "content-disposition": [header] })).toEqual({
      name: "file",
      isFile: true,
      filename,
    });
  });

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
