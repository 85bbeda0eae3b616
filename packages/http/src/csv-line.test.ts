import { expect, test } from "@jest/globals";
import { csvLine } from "./export.ts";

test.each([
  ["texts, numbers and times", ["a", 1.5, new Date(0)], "a,1.5,1970-01-01T00:00:00.000Z"],
  ["nothing", [undefined, null, ""], ",,"],
  [
    "commas, quotes and line breaks",
    ["a,b", 'say "x"', "a\nb", "a\r\nb"],
    '"a,b","say ""x""","a\nb","a\r\nb"',
  ],
  [
    "what a spreadsheet would compute",
    ["=1+1", "+351", "-1", "@x", '=a,"b"'],
    `'=1+1,'+351,'-1,'@x,"'=a,""b"""`,
  ],
  ["full-width signs", ["＝1", "＋1", "－1", "＠x"], "'＝1,'＋1,'－1,'＠x"],
  [
    "signs after what a spreadsheet ignores",
    [" =1", "\u00a0-1", "\ufeff=1", "\u200b +1"],
    "' =1,'\u00a0-1,'\ufeff=1,'\u200b +1",
  ],
  [
    "signs after what may separate cells",
    ["x;=1", "\t=1", "x\t ＝1;@y", ";;-1"],
    "'x;'=1,'\t'=1,'x\t' ＝1;'@y,';;'-1",
  ],
  ["numbers as they are", [-1.5], "-1.5"],
  ["signs within a text", ["a=b", "a-b", "a; b"], "a=b,a-b,a; b"],
  ["blanks and letters as they are", [" a ", "é😀"], " a ,é😀"],
  ["an object as JSON", [{ a: [1] }], '"{""a"":[1]}"'],
])("%s", (_, cells, line) => expect(csvLine(cells)).toBe(`${line}\r\n`));
