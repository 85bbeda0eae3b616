// The routes of signed links to a file (interface §5).
import {
  type ApiRequest,
  type ApiResponse,
  created,
  data,
  notFound,
  ok,
  required,
  route,
} from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import { auditRow } from "@tradepost/messaging";
import { z } from "zod";
import { READ, WRITE } from "../route-parts.ts";
import type { Tenant } from "../tables.ts";
import { type LinkInput, linkInput, linkQuery } from "./media-input.ts";
import { linkOf, signedPath } from "./media-link.ts";
import { FILE_ABOUT, type MediaContext } from "./media-routes.ts";
import { endMediaLinks, findMedia, lockMedia } from "./media-store.ts";
import { servedFile, serveFile } from "./serve-file.ts";

const tag = "Media";

const link = z
  .strictObject({
    url: z.string().describe("A path on the gateway, with its signature."),
    expiresAt: z.iso.datetime().describe("From then on it is 404."),
  })
  .meta({ id: "MediaLink", description: "A signed address of a file, which needs no credential." });

const create = (context: MediaContext) =>
  route("POST /v1/media/:id/links", {
    ...READ,
    role: "editor",
    isIdempotent: true,
    body: linkInput,
    bodyIsOptional: true,
    about: {
      id: "createMediaLink",
      tag,
      summary: "Make a signed link to a file",
      description:
        "Whoever has the link can read the file without a credential until it expires, as an `<img src>` does. `endMediaLinks` ends all links of a file.",
      responses: { 201: data(link) },
    },
    handle: recording(context, (tx, request: ApiRequest<LinkInput, undefined>) =>
      makeLink(tx, request, context.linkSecrets),
    ),
  });

async function makeLink(
  tx: Tenant,
  request: ApiRequest<LinkInput, undefined>,
  linkSecrets: readonly string[],
): Promise<ApiResponse> {
  const { id, body } = request;
  const { variant, expiresInSeconds } = body;
  const media = await lockMedia(tx, id);
  if (servedFile(tx.tenantId, media, variant) === null) throw notFound("variant of this media");
  const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
  const linksEndedCount = media.links_ended_count;
  const link = { tenantId: tx.tenantId, mediaId: id, variant, expiresAt, linksEndedCount };
  const shown = { expiresAt: new Date(expiresAt * 1000) };
  const changes = { variant: variant ?? null, ...shown };
  const entry = { action: "media_link.created", target: { type: "media", id }, changes };
  await tx.db
    .insertInto("outbox")
    .values(auditRow(entry, id, request))
    .execute();
  return created({ url: signedPath(link, linkSecrets), ...shown });
}

const end = (context: MediaContext) =>
  route("DELETE /v1/media/:id/links", {
    ...WRITE,
    about: {
      id: "endMediaLinks",
      tag,
      summary: "End all links to a file",
      description: "They are 404 from then on. Links that are made later work.",
      responses: { 200: data(z.strictObject({ id: z.uuid(), linksEnded: z.literal(true) })) },
    },
    handle: recording(context, async (tx, request) => {
      const { id } = request;
      await endMediaLinks(tx, id, request);
      return ok({ id, linksEnded: true });
    }),
  });

// Without a credential, the gateway signs a viewer of no tenant and without modules; the link's signature says which file may
// be read.
const readLinked = ({ tenants, storage, paceFile, linkSecrets }: MediaContext) =>
  route("GET /v1/media/:id/links/file", {
    module: null,
    role: "viewer",
    scope: null,
    query: linkQuery,
    about: {
      id: "getLinkedFile",
      tag,
      summary: "Download the file of a signed link",
      description:
        "For everyone who has the link that `createMediaLink` made. 404 once it has expired or was ended, or if a character of it has changed.",
      needsNoCredential: true,
      ...FILE_ABOUT,
    },
    handle: async ({ id, query, raw }) => {
      const link = linkOf(raw.url ?? "", id, query, linkSecrets);
      const secondsLeft = link === null ? 0 : link.expiresAt - Date.now() / 1000;
      if (link === null || secondsLeft <= 0) throw notFound("media link");
      const media = await findMedia(tenants.of(link.tenantId), id);
      if (media?.links_ended_count !== link.linksEndedCount) throw notFound("media link");
      const file = required(servedFile(link.tenantId, media, link.variant), "media link");
      return await serveFile({ storage, paceFile }, file, raw, {
        "cache-control": `private, max-age=${Math.floor(secondsLeft)}, immutable`,
        // Other sites show the file.
        "cross-origin-resource-policy": "cross-origin",
      });
    },
  });

export const mediaLinkRoutes = [create, end, readLinked];
