import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { type Draft, differencesOf, draftIn, eventGroups, KEPT, withAll, withoutAll } from "./draft.ts";

const DRAFT: Draft = {
  name: "ERP",
  url: "https://erp.example/hooks",
  events: ["redirect.added", "media.uploaded"],
  filter: null,
  payload: "thin",
  maxPerSecond: null,
  maxInFlight: 5,
  headers: { Authorization: KEPT },
};

test("the form's fields become a body", () => {
  const form = new FormData();
  form.set("name", " ERP ");
  form.set("url", "https://erp.example/hooks\n");
  form.append("events", "redirect.added");
  form.set("fromPrefix", " /winter \r\n\n/spring");
  form.set("locale", "  ");
  form.set("payload", "thin");
  form.set("maxPerSecond", " 10 ");
  form.set("maxInFlight", "");
  form.append("headerName", " X-A");
  form.append("headerValue", "1");
  form.append("headerName", "X-B");
  form.append("headerValue", KEPT);
  expect(draftIn(form)).toEqual({
    name: "ERP",
    url: "https://erp.example/hooks",
    events: ["redirect.added"],
    filter: { fromPrefix: ["/winter", "/spring"] },
    payload: "thin",
    maxPerSecond: 10,
    maxInFlight: null,
    headers: { "X-A": "1", "X-B": KEPT },
  });
});

test("a form without values has no filter", () => {
  expect(draftIn(new FormData()).filter).toBeNull();
});

test("two versions differ in what a person would see, and never show a value", () => {
  expect(differencesOf(DRAFT, { ...DRAFT, events: DRAFT.events.toReversed() })).toEqual([]);
  const headers = { Authorization: "Bearer secret" };
  expect(
    differencesOf(
      { ...DRAFT, headers },
      {
        ...DRAFT,
        name: "Till",
        filter: { mediaType: ["image/"] },
        payload: "full",
        maxInFlight: null,
        headers: {},
      },
    ),
  ).toEqual([
    { field: "Name", yours: "ERP", now: "Till" },
    { field: "Filter", yours: "None", now: "Only files of a media type that begins with “image/”" },
    { field: "Data", yours: "Thin", now: "All of it" },
    { field: "Attempts at a time", yours: "At most 5", now: "No limit" },
    { field: "Headers", yours: "Authorization: a new value", now: "None" },
  ]);
});

test("every type is in one group, and every group has a name", () => {
  const types = Object.keys(EVENT_TYPES) as EventType[];
  expect(eventGroups(types).flatMap((group) => group.types)).toEqual(types);
  expect(eventGroups(types).map(({ name }) => name)).toEqual(["Entries", "Files", "Redirects", "Orders"]);
});

test("a group is added and removed as a whole", () => {
  const chosen = withAll(["redirect.added"], ["media.uploaded", "media.processed", "redirect.added"]);
  expect(chosen).toEqual(["media.uploaded", "media.processed", "redirect.added"]);
  expect(withoutAll(chosen, ["media.uploaded", "media.processed"])).toEqual(["redirect.added"]);
});
