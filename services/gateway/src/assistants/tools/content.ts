// No tool for content publishes.
import { invalid } from "@tradepost/http";
import { z } from "zod";
import { detail, id, idempotencyKeyOf, page, requestKey, version } from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { fieldsOf, pathOf } from "../service-calls.ts";
import { listed, READ_CONTENT, type ToolResult, tool, WRITE_CONTENT } from "../tool.ts";
import { shownId, untrusted, untrustedIfAny } from "../untrusted-text.ts";

type ApiEntry = Readonly<Record<string, unknown>>;

interface ApiContentType {
  readonly slug: string;
  readonly name: string;
  readonly fields: readonly { readonly key: string; readonly type: string; readonly required: boolean }[];
}

const HEADING = "On this page";
const EXCERPT_CHARACTERS_MAX = 200;
const LISTED_CHARACTERS_MAX = 2_000;
const SHOWN_CHARACTERS_MAX = 20_000;

const entrySchema = schema.object({ id: schema.text, status: schema.text, version: schema.integer });

export const searchContent = tool({
  name: "search_content",
  title: "Search content",
  description:
    "Lists entries (pages, posts) by the filters given, or with what: content_types the types and their fields, or reads one entry whole by entry_id. There is no full-text search. Use it before save_entry_draft. Not for orders or customers.",
  needs: [READ_CONTENT],
  effect: "reads",
  input: z.strictObject({
    what: z.enum(["entries", "content_types"]).default("entries").describe("What to list."),
    entry_id: id("One entry (a UUID); the filters do not apply.").optional(),
    type: z.string().max(64).optional().describe("The slug of a content type."),
    status: z.enum(["draft", "scheduled", "published"]).optional().describe("Only entries with it."),
    slug: z.string().max(200).optional().describe("Exactly this slug."),
    locale: z.string().max(35).optional().describe("Such as en or de-AT."),
    version: z.enum(["draft", "published"]).default("draft").describe("Which text to show."),
    detail,
    ...page,
  }),
  output: schema.object(
    { entries: schema.list(entrySchema), content_types: schema.list(), next_cursor: schema.textOrNull },
    ["next_cursor"],
  ),
  run: async ({ what, entry_id, detail: shown, limit, cursor, ...filter }, { services }) => {
    if (entry_id !== undefined) {
      const { version } = filter;
      const { data } = await services.get<ApiEntry>(pathOf("entries", entry_id), { version });
      return listed(HEADING, "entries", [shownEntry(data, SHOWN_CHARACTERS_MAX)], null);
    }
    if (what === "content_types") {
      const types = await services.get<ApiContentType[]>("/v1/content-types", { limit, cursor });
      return listed(HEADING, "content_types", types.data.map(shownType), types.nextCursor);
    }
    const entries = await services.get<ApiEntry[]>("/v1/entries", { ...filter, limit, cursor });
    const charactersMax = shown === "full" ? LISTED_CHARACTERS_MAX : EXCERPT_CHARACTERS_MAX;
    const rows = entries.data.map((entry) => shownEntry(entry, charactersMax));
    return listed(HEADING, "entries", rows, entries.nextCursor);
  },
});

// The service validates it against the content type.
const anyJson = z.unknown().meta({ type: ["string", "number", "boolean", "object", "array", "null"] });

export const saveEntryDraft = tool({
  name: "save_entry_draft",
  title: "Save the draft of an entry",
  description:
    "Without entry_id it creates an entry of a content type as a draft; with entry_id it changes the draft: only the fields in data, null removes one. It never publishes; tell the user to publish. Learn the fields with search_content (what: content_types). Never write back a text that was shown truncated or cleaned.",
  needs: [WRITE_CONTENT],
  effect: "changes",
  input: z.strictObject({
    entry_id: id("The entry to change; without it one is created.").optional(),
    type: z.string().max(64).optional().describe("Its content type; only for a new entry."),
    locale: z.string().max(35).optional().describe("Such as en or de-AT; only for a new entry."),
    slug: z.string().max(200).optional().describe("Default: made from the first text."),
    data: z.record(z.string(), anyJson).optional().describe("The fields of the content type."),
    version,
    request_key: requestKey,
  }),
  output: schema.object({
    result: schema.oneOf("created", "already_created", "changed"),
    entry: entrySchema,
  }),
  run: async ({ entry_id, type, locale, slug, data, version, request_key }, { services }) => {
    if (entry_id !== undefined) {
      refuse({ type, locale }, "is only for a new entry");
      const path = pathOf("entries", entry_id);
      const changed = await services.patch<ApiEntry>(path, { body: { slug, data }, version });
      return saved("changed", changed.data, "The draft has the given values. It is not published.");
    }
    refuse({ version }, "is only for an entry that exists");
    const created = await services.post<ApiEntry>("/v1/entries", {
      body: { type, locale, slug, data },
      idempotencyKey: idempotencyKeyOf(request_key),
    });
    return created.isReplayed
      ? saved("already_created", created.data, "An earlier call with this request_key already created it.")
      : saved("created", created.data, "The draft is created. It is not published.");
  },
});

function refuse(given: Record<string, unknown>, message: string): void {
  const paths = Object.keys(given).filter((name) => given[name] !== undefined);
  if (paths.length > 0) throw invalid(paths.map((path) => ({ path, message })));
}

function saved(result: string, entry: ApiEntry, summary: string): ToolResult {
  return { summary, structured: { result, entry: shownEntry(entry, EXCERPT_CHARACTERS_MAX) } };
}

/** A locale is too short for an instruction, so it is not marked. */
function shownEntry(entry: ApiEntry, charactersMax: number) {
  return {
    ...fieldsOf(entry, "id", "locale", "status", "hasUnpublishedChanges", "revision", "version"),
    type: shownId(entry.type),
    slug: shownId(entry.slug),
    ...fieldsOf(entry, "publishedAt", "publishAt", "updatedAt"),
    schedule_error: untrustedIfAny(entry.scheduleError, 300),
    data: untrusted(entry.data, charactersMax),
  };
}

function shownType({ slug, name, fields }: ApiContentType) {
  return {
    slug: shownId(slug),
    name: untrusted(name, 200),
    fields: fields.map(({ key, type, required }) => ({ key: shownId(key), type, required })),
  };
}
