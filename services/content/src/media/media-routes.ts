// The routes of media assets and their files, except signed links (interface §5).
import { media } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  created,
  cursorPage,
  data,
  file,
  listed,
  ok,
  page,
  required,
  route,
} from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import { admit, withoutQuota } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { COUNT_FIELDS } from "@tradepost/search";
import { z } from "zod";
import { deleted, READ, WRITE } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import type { PaceFile } from "./file-pace.ts";
import { fileQuery, type MediaChange, mediaChange, mediaQuery } from "./media-input.ts";
import { fileKey, mediaResource } from "./media-resource.ts";
import {
  abandonUpload,
  changeAltText,
  countMedia,
  createMedia,
  deleteMedia,
  findMedia,
  listMedia,
  registerUpload,
} from "./media-store.ts";
import { receiveUpload } from "./receive-upload.ts";
import { servedFile, serveFile } from "./serve-file.ts";
import type { Storage } from "./storage/storage.ts";

export interface MediaContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly storage: Storage;
  readonly paceFile: PaceFile;
  /** The first secret signs links, every secret verifies them. */
  readonly linkSecrets: readonly string[];
  readonly onCommit: () => void;
  readonly onLeftovers: () => void;
}

const tag = "Media";

export const FILE_ABOUT = {
  headers: {
    Range: "One range of bytes, such as `bytes=0-1023`. Several ranges get the whole file.",
    "If-Range": "An `ETag`: `Range` counts only while it is the current one.",
  },
  responses: { 200: file("*/*"), 206: file("*/*") },
  errors: ["range_not_satisfiable"],
  etag: true,
} as const;

// The handler streams the file of the form.
const upload = (context: MediaContext) =>
  route("POST /v1/media", {
    ...WRITE,
    readsBodyItself: true,
    about: {
      id: "uploadMedia",
      tag,
      summary: "Upload a file",
      description:
        "The file's bytes decide the media type, not its name. A JPEG, PNG, APNG, WebP, GIF, AVIF or TIFF image gets three smaller WebP variants. When they are made, its `status` is `ready`, and `media.processed` is emitted. An image that cannot be read gets the status `failed`, without an event.",
      form: {
        mediaType: "multipart/form-data",
        schema: z.strictObject({
          file: z
            .string()
            .meta({ format: "binary", description: "One file, with its filename, of at most 25 MiB." }),
        }),
      },
      responses: { 201: data(media) },
      location: true,
      errors: ["unsupported_media_type"],
      emits: ["media.uploaded"],
    },
    handle: (request) => uploadFile(request, context),
  });

/** A failed upload leaves nothing behind. */
async function uploadFile(
  request: ApiRequest<undefined, undefined>,
  { tenants, storage, onCommit, onLeftovers }: MediaContext,
) {
  const { tenantId } = request.principal;
  const tenant = tenants.of(tenantId);
  const id = newId();
  let isRegistered = false;
  try {
    const received = await receiveUpload(request.raw, async (bytes) => {
      admit(request, "mediaBytes");
      admit(request, "eventBytes");
      isRegistered = true;
      await registerUpload(tenant, id);
      await storage.put(fileKey(tenantId, id), bytes);
    });
    // The quota was checked before the bytes were stored.
    const media = await createMedia(tenant, id, received, withoutQuota(request));
    onCommit();
    return created(mediaResource(media), `/v1/media/${id}`);
  } catch (error) {
    // If this fails too, the janitor deletes the files after an hour.
    if (isRegistered) await abandonUpload(tenant, id).then(onLeftovers, () => undefined);
    throw error;
  }
}

const list = ({ tenants }: MediaContext) =>
  route("GET /v1/media", {
    ...READ,
    query: mediaQuery,
    about: {
      id: "listMedia",
      tag,
      summary: "List media assets, newest first",
      responses: { 200: page(media, COUNT_FIELDS) },
    },
    handle: async ({ principal, query }) => {
      const tenant = tenants.of(principal.tenantId);
      const found = await listMedia(tenant, query);
      const counted = query.count ? await countMedia(tenant, query) : {};
      const { end } = found;
      return listed({ ...cursorPage(found.media, query.limit, { end }), ...counted });
    },
  });

const change = (context: MediaContext) =>
  route("PATCH /v1/media/:id", {
    ...WRITE,
    body: mediaChange,
    about: {
      id: "updateMedia",
      tag,
      summary: "Change the alternative text of a media asset",
      description: "The change is in the change feed as `media.updated`; no exchange carries it.",
      responses: { 200: data(media) },
    },
    handle: recording(context, async (tx, request: ApiRequest<MediaChange, undefined>) => {
      admit(request, "eventBytes");
      return ok(mediaResource(await changeAltText(tx, request.id, request.body.altText, request)));
    }),
  });

const read = ({ tenants }: MediaContext) =>
  route("GET /v1/media/:id", {
    ...READ,
    about: {
      id: "getMedia",
      tag,
      summary: "Get a media asset",
      description: "Without its bytes, which `getMediaFile` has.",
      responses: { 200: data(media) },
    },
    handle: async ({ principal, id }) => {
      return ok(mediaResource(required(await findMedia(tenants.of(principal.tenantId), id), "media")));
    },
  });

const readFile = ({ tenants, storage, paceFile }: MediaContext) =>
  route("GET /v1/media/:id/file", {
    ...READ,
    query: fileQuery,
    about: {
      id: "getMediaFile",
      tag,
      summary: "Download a file or one of its variants",
      description: "The file never changes. 404 also while an image's variants are not made yet.",
      ...FILE_ABOUT,
    },
    handle: async ({ principal, id, query, raw }) => {
      const media = required(await findMedia(tenants.of(principal.tenantId), id), "media");
      const file = required(servedFile(principal.tenantId, media, query.variant), "variant of this media");
      return await serveFile({ storage, paceFile }, file, raw);
    },
  });

const remove = (context: MediaContext) =>
  route("DELETE /v1/media/:id", {
    ...WRITE,
    about: {
      id: "deleteMedia",
      tag,
      summary: "Delete a media asset with its files",
      responses: { 200: data(deleted) },
      emits: ["media.deleted"],
    },
    handle: recording({ ...context, onCommit: () => onDelete(context) }, async (tx, request) => {
      const { id } = request;
      await deleteMedia(tx, id, withoutQuota(request));
      return ok({ id, deleted: true });
    }),
  });

function onDelete({ onCommit, onLeftovers }: MediaContext): void {
  onCommit();
  onLeftovers();
}

export const mediaRoutes = [upload, list, read, change, readFile, remove];
