import { describe, expect, test } from "@jest/globals";
import { type Entry, linkOf } from "./invitation.ts";

const ada = { id: "ada" };
const made = (at: string, id = "ada"): Entry => ({
  at,
  action: "user.setup_link_made",
  target: { id },
  changes: { expiresAt: `expiry of ${at}` },
});
const changed = (at: string, changes: Entry["changes"]): Entry => ({
  at,
  action: "user.updated",
  target: { id: "ada" },
  changes,
});
const [ONE, TWO, THREE] = ["2026-11-25T10:00:00Z", "2026-11-25T11:00:00Z", "2026-11-25T12:00:00Z"];

describe("the setup link of an invited person", () => {
  test.each<[string, Entry[], string | undefined]>([
    ["is not known without entries", [], undefined],
    ["is the person's own", [made(ONE), made(TWO, "grace")], `expiry of ${ONE}`],
    ["is the latest", [made(TWO), made(ONE)], `expiry of ${TWO}`],
    [
      "is ended by another role",
      [made(ONE), changed(TWO, { role: { from: "viewer", to: "editor" } })],
      "ended",
    ],
    ["is not ended by another name", [made(ONE), changed(TWO, { name: {} })], `expiry of ${ONE}`],
    ["is made again", [made(ONE), changed(TWO, { role: {} }), made(THREE)], `expiry of ${THREE}`],
  ])("%s", (_, entries, link) => expect(linkOf(ada, entries)).toBe(link));
});
