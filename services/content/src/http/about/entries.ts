// Describes the operations on entries and their revisions (interface §5). Pure.
import { actor, entry } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { entryChange, entryInput } from "../../entry/entry-input.ts";
import { deleted } from "./deleted.ts";

const tag = "Entries";

const revision = z
  .strictObject({
    revision: z.int().positive().describe("Counts the changes of slug and data, from 1."),
    slug: z.string(),
    data: z.record(z.string(), z.unknown()).describe("The fields of the content type."),
    actor,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Revision", description: "A revision of an entry, with its author." });

export const entryAbouts = {
  create: {
    id: "createEntry",
    tag,
    summary: "Create an entry as a draft",
    description:
      "`data` may hold only fields of the content type, each with a value of its type; a draft may lack required ones. If `slug` is left out, it is made from the first text field. `conflict`: another entry of this type and locale has the slug.",
    body: entryInput,
    responses: { 201: data(entry) },
    location: true,
    errors: ["conflict"],
    etag: true,
    emits: ["content.entry.created", "content.revision.created"],
  },
  list: {
    id: "listEntries",
    tag,
    summary: "List entries, newest first",
    description:
      "Shows the latest revision of each entry or, with `version=published`, only live entries with their live slug and data.",
    responses: { 200: page(entry) },
  },
  get: {
    id: "getEntry",
    tag,
    summary: "Get an entry",
    responses: { 200: data(entry) },
    etag: true,
  },
  update: {
    id: "updateEntry",
    tag,
    summary: "Change an entry's draft",
    description:
      "`data` is merged: a field that is named changes, and `null` removes it. Adds a revision if anything changes, and never publishes it. `conflict`: another entry of this type and locale has the slug.",
    body: entryChange,
    responses: { 200: data(entry) },
    errors: ["conflict"],
    etag: true,
    ifMatch: true,
    emits: ["content.entry.updated", "content.revision.created"],
  },
  delete: {
    id: "deleteEntry",
    tag,
    summary: "Delete an entry with its revisions",
    description: "A live entry is unpublished first.",
    responses: { 200: data(deleted) },
    ifMatch: true,
    emits: ["content.entry.unpublished", "content.entry.deleted"],
  },
  publish: {
    id: "publishEntry",
    tag,
    summary: "Publish the latest revision",
    description:
      "Any schedule ends. 422 names every required field that is missing, and every media asset and entry that does not exist, at `data.<key>`. When the path of a live entry changes, a redirect from the old path is added, and redirects that led there are changed. A revision that is live already changes nothing.",
    responses: { 200: data(entry) },
    etag: true,
    ifMatch: true,
    emits: ["content.entry.published", "redirect.added", "redirect.removed"],
  },
  schedule: {
    id: "scheduleEntry",
    tag,
    summary: "Publish the latest revision at a later time",
    description:
      "The revision that is the latest now goes live then, whatever is written until then, within 2 s of its time. It must be valid for publication now. `invalid_transition`: it is live already.",
    responses: { 200: data(entry) },
    errors: ["invalid_transition"],
    etag: true,
    ifMatch: true,
    emits: ["content.entry.scheduled"],
  },
  unschedule: {
    id: "unscheduleEntry",
    tag,
    summary: "Cancel an entry's schedule",
    description: "A live revision stays live. `invalid_transition`: nothing is scheduled.",
    responses: { 200: data(entry) },
    errors: ["invalid_transition"],
    etag: true,
    ifMatch: true,
  },
  unpublish: {
    id: "unpublishEntry",
    tag,
    summary: "Take a live entry down",
    description: "It is a draft again, and any schedule ends. `invalid_transition`: it is not live.",
    responses: { 200: data(entry) },
    errors: ["invalid_transition"],
    etag: true,
    ifMatch: true,
    emits: ["content.entry.unpublished"],
  },
  listRevisions: {
    id: "listRevisions",
    tag,
    summary: "List the revisions of an entry, newest first",
    responses: { 200: page(revision) },
  },
  restoreRevision: {
    id: "restoreRevision",
    tag,
    summary: "Restore an old revision",
    params: { n: z.int().min(1).describe("The number of the revision.") },
    description:
      "Its slug and data become a new revision; it is not published. `conflict`: its content type no longer allows them, or another entry has the slug.",
    responses: { 200: data(entry) },
    errors: ["conflict"],
    etag: true,
    ifMatch: true,
    emits: ["content.entry.updated", "content.revision.created"],
  },
} satisfies Record<string, About>;
