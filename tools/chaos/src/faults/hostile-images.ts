// Ten small files that decode to large images. They must not use much memory, or delay the image of another tenant.
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { formatPeaks, trackPeakMemory } from "../peak-memory.ts";
import { decompressionBombs, type ImageFile, ordinaryImage } from "./decompression-bombs.ts";
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
    // Some of the bombs are still being processed or wait for a retry.
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
