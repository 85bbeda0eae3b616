// Ten small files that decode to large images. They must not use much memory, or delay the image of another tenant.
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import sharp from "sharp";
import { formatPeaks, trackPeakMemory } from "../process-memory.ts";
import type { Fault, FaultContext } from "./fault.ts";

const MEMORY_MIB_MAX = 1_024;
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

export const hostileImages: Fault = {
  name: "hostile images",
  mustStayFast: true,
  inject: async (context) => {
    const { platform, tenants, hostileTenant, note, fail } = context;
    const [bombs, ordinary] = [await decompressionBombs(), await ordinaryImage()];
    const memory = trackPeakMemory(platform, ["content"]);
    const ids = await Promise.all(bombs.map((bomb) => upload(context, hostileTenant, bomb)));
    const startedAt = performance.now();
    const [otherTenant] = tenants;
    if (otherTenant === undefined) throw new Error("there is no other tenant");
    const id = await upload(context, otherTenant, ordinary);
    const isReady = await untilProcessed(context, otherTenant, id);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (isReady) note(`another tenant's image was ready after ${seconds} s`);
    else fail(`another tenant's image was not ready after ${seconds} s`);
    await untilProcessed(context, hostileTenant, ids.at(-1));
    const peaks = await memory.stop();
    note(`peak memory, child processes included: ${formatPeaks(peaks)}`);
    if (Math.max(...peaks.values()) > MEMORY_MIB_MAX) fail(`more than ${MEMORY_MIB_MAX} MiB for images`);
    for (const id of ids) await request(context, hostileTenant, "DELETE", `/v1/media/${id}`);
    await platform.untilReady();
  },
};

async function upload(
  { platform }: FaultContext,
  tenant: TenantCredentials,
  file: ImageFile,
): Promise<string | undefined> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(file.bytes)]), file.filename);
  const response = await fetch(`${platform.url}/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.apiKey}` },
    body: form,
    signal: AbortSignal.timeout(READY_TIMEOUT_MS),
  }).catch(() => undefined);
  const body = response && ((await response.json()) as { data?: { id: string } });
  return body?.data?.id;
}

/** Waits until processing has succeeded or failed, or the time is up. Resolves to whether the image is ready. */
async function untilProcessed(
  context: FaultContext,
  tenant: TenantCredentials,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return false;
  for (const deadline = performance.now() + READY_TIMEOUT_MS; performance.now() < deadline; ) {
    const media = await request(context, tenant, "GET", `/v1/media/${id}`);
    if (media?.status === "ready" || media?.status === "failed") return media.status === "ready";
    await sleep(POLL_MS);
  }
  return false;
}

async function request({ platform }: FaultContext, tenant: TenantCredentials, method: string, path: string) {
  const response = await fetch(platform.url + path, {
    method,
    headers: { authorization: `Bearer ${tenant.apiKey}` },
    signal: AbortSignal.timeout(READY_TIMEOUT_MS),
  }).catch(() => undefined);
  const body = response && ((await response.json()) as { data?: { status?: string } });
  return body?.data;
}

/** Just below the limit of 50 megapixels. */
const SIDE = 7_071;

interface ImageFile {
  readonly filename: string;
  readonly bytes: Buffer;
}

async function decompressionBombs(): Promise<ImageFile[]> {
  const blank = () => sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: "#345" } });
  const avif = await blank().avif({ effort: 0 }).toBuffer();
  // With EXIF rotation, the decoder needs every row before it can write the first.
  const png = await blank().toColourspace("rgb16").withMetadata({ orientation: 6 }).png().toBuffer();
  const jpeg = await blank().jpeg({ progressive: true }).toBuffer();
  const webp = await blank().webp({ effort: 0 }).toBuffer();
  const files = [
    ["avif", avif],
    ["png", png],
    ["avif", avif],
    ["jpg", jpeg],
    ["webp", webp],
  ] as const;
  return [...files, ...files].map(([extension, bytes], index) => ({
    filename: `hostile-${index + 1}.${extension}`,
    bytes,
  }));
}

async function ordinaryImage(): Promise<ImageFile> {
  const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#a53" } })
    .jpeg()
    .toBuffer();
  return { filename: "ordinary.jpg", bytes };
}
