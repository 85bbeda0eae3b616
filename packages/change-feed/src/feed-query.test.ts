// The query of a feed refuses invalid cursors.
import { expect, test } from "@jest/globals";
import { feedQuery } from "./feed-query.ts";

const query = feedQuery(["note.added"]);

test.each(["", "x", "Now", "\0", Buffer.from("1 2").toString("base64url"), "9".repeat(100)])(
  "refuses a cursor that the feed did not make: %p",
  (after) => {
    expect(query.safeParse({ after }).error?.issues.map(({ path }) => path)).toEqual([["after"]]);
  },
);

test.each(["18446744073709551616 1 1", "1 9223372036854775808 1", "-1 1 1", "1 1 1 0"])(
  "refuses a cursor with numbers that the database cannot hold: %s",
  (numbers) => {
    const after = Buffer.from(numbers).toString("base64url");
    expect(query.safeParse({ after }).error?.issues.map(({ path }) => path)).toEqual([["after"]]);
  },
);
