// The description of the whole API, and its route (interface §11).
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type ApiResponse, bareJson, route, type StaticFile, staticFile } from "@tradepost/http";
import { z } from "zod";
import { originOf } from "../client.ts";
import { ANYONE } from "../requirements.ts";
import { readServedFile } from "./served-files.ts";

/** Its `servers` is the origin that the request was sent to. */
export type ApiDescription = (req: IncomingMessage) => Promise<ApiResponse>;

export const CACHE_CONTROL = "no-cache";

/** Each copy has 1 MB, and a client chooses the `Host` of its requests. */
const ORIGINS_MAX = 8;

/** Reads docs/openapi.json, which `npm run tool -- docs` writes. */
export async function readApiDescription(proxyHops: number): Promise<ApiDescription> {
  const document = JSON.parse((await readServedFile("openapi.json")).toString("utf8"));
  // A copy for a new host must cost little.
  const marker = randomUUID();
  const marked = { ...document, servers: [{ ...document.servers[0], url: marker }] };
  const [start, end] = `${JSON.stringify(marked, null, 2)}\n`.split(marker);
  const copies = new Map<string, StaticFile>();
  return async (req) => {
    const url = originOf(req, proxyHops) ?? "/";
    const copy = copies.get(url) ?? copyOf(`${start}${url}${end}`);
    const [oldest] = copies.keys();
    if (copies.size >= ORIGINS_MAX && !copies.has(url) && oldest !== undefined) copies.delete(oldest);
    copies.set(url, copy);
    return await copy();
  };
}

function copyOf(text: string): StaticFile {
  return staticFile(Buffer.from(text), {
    "content-type": "application/json; charset=utf-8",
    "cache-control": CACHE_CONTROL,
  });
}

export interface DescriptionContext {
  readonly apiDescription: ApiDescription;
}

const documentShape = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.looseObject({}).describe("The operations, by path and method"),
  })
  .meta({ description: "An OpenAPI 3.1 document." });

const read = ({ apiDescription }: DescriptionContext) =>
  route("GET /v1/openapi.json", {
    ...ANYONE,
    about: {
      id: "getApiDescription",
      tag: "Description",
      summary: "Get this description",
      description: "A change of the API changes the `ETag`.",
      responses: { 200: bareJson(documentShape) },
      etag: true,
    },
    handle: ({ raw }) => apiDescription(raw),
  });

export const descriptionRoutes = [read];
