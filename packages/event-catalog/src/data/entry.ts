// The content entry in events, as in the API.
import { z } from "zod";

const revision = z.int().positive();
const time = z.iso.datetime();

export const entry = z
  .strictObject({
    id: z.uuid(),
    type: z.string().describe("The slug of its content type."),
    slug: z.string().describe("Of the revision that is shown."),
    locale: z.string().describe("A language tag, such as `en` or `de-AT`."),
    status: z
      .enum(["draft", "scheduled", "published"])
      .describe("`scheduled` also for a live entry with a revision that goes live later."),
    hasUnpublishedChanges: z.boolean().describe("Whether the latest revision is not the live one."),
    revision: revision.describe("The number of the revision that is shown."),
    publishedRevision: revision.nullable().describe("The number of the live revision; null if none is live."),
    publishedAt: time.nullable().describe("When the live revision went live; null if none is live."),
    publishAt: time.nullable().describe("When the scheduled revision goes live."),
    scheduleError: z
      .string()
      .optional()
      .describe("Why the entry could not be published on time; it is tried again every minute."),
    data: z
      .record(z.string(), z.unknown())
      .describe("The fields of the content type, as the revision that is shown has them."),
    createdAt: time,
    updatedAt: time,
    version: z
      .int()
      .positive()
      .describe("The entry's `ETag`, which grows with every change, a publication too."),
  })
  .meta({ id: "Entry", description: "A content entry with one of its revisions." });

const schema = z.strictObject({ entry });

const updatedSchema = schema.extend({
  changedFields: z
    .array(z.string())
    .describe("The keys of the fields that changed, and `slug` if it changed."),
  previousSlug: z.string().optional().describe("The slug until now, if it changed."),
});

const revisionSchema = z.strictObject({
  revision: z.strictObject({
    entryId: z.uuid(),
    revision,
    slug: z.string(),
    data: z.record(z.string(), z.unknown()).describe("The fields of the content type"),
  }),
});

const draft = {
  id: "0198c5b3-7a10-7c44-9d2e-3b4c5d6e7f80",
  type: "article",
  slug: "autumn-collection",
  locale: "en",
  status: "draft",
  hasUnpublishedChanges: true,
  revision: 1,
  publishedRevision: null,
  publishedAt: null,
  publishAt: null,
  data: { title: "The autumn collection", body: "Warm colours, from Friday on." },
  createdAt: "2026-08-20T09:30:00.000Z",
  updatedAt: "2026-08-20T09:30:00.000Z",
  version: 1,
};
const changed = { ...draft, revision: 2, updatedAt: "2026-08-20T10:00:00.000Z", version: 2 };
const published = {
  ...changed,
  status: "published",
  hasUnpublishedChanges: false,
  publishedRevision: 2,
  publishedAt: "2026-08-21T06:00:00.000Z",
  updatedAt: "2026-08-21T06:00:00.000Z",
  version: 4,
};

const scheduled = { ...changed, status: "scheduled", publishAt: "2026-08-21T06:00:00.000Z", version: 3 };
const unpublished = {
  ...published,
  status: "draft",
  hasUnpublishedChanges: true,
  publishedRevision: null,
  publishedAt: null,
  updatedAt: "2026-09-01T08:00:00.000Z",
  version: 5,
};
const deleted = { ...changed, updatedAt: "2026-09-02T08:00:00.000Z", version: 6 };
const firstRevision = { entryId: draft.id, revision: 1, slug: draft.slug, data: draft.data };

export const entryEvents = {
  "content.entry.created": { schema, example: { entry: draft } },
  "content.entry.updated": {
    schema: updatedSchema,
    example: { entry: changed, changedFields: ["title", "slug"], previousSlug: "autumn" },
  },
  "content.entry.published": { schema, example: { entry: published } },
  "content.entry.scheduled": { schema, example: { entry: scheduled } },
  "content.entry.unpublished": { schema, example: { entry: unpublished } },
  "content.entry.deleted": { schema, example: { entry: deleted } },
  "content.revision.created": { schema: revisionSchema, example: { revision: firstRevision } },
};
