// Ten small files that are large pictures. Drawing them takes little memory, and nobody else's picture waits for them.
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { inWords, startPeakMemory } from "../peak-memory.ts";
import type { Fault, Strike } from "./fault.ts";
import { hostilePictures, ordinaryPicture, type Picture } from "./hostile-pictures.ts";

const MEMORY_MIB_MAX = 1_024;
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;

export const hostileImages: Fault = {
  name: "hostile images",
  keepsPace: true,
  strike: async (strike) => {
    const { platform, tenants, hostile, note, fail } = strike;
    const [pictures, ordinary] = [await hostilePictures(), await ordinaryPicture()];
    const memory = startPeakMemory(platform, ["content"]);
    const ids = await Promise.all(pictures.map((picture) => upload(strike, hostile, picture)));
    const since = performance.now();
    const [stranger] = tenants;
    if (stranger === undefined) throw new Error("there is nobody else");
    const id = await upload(strike, stranger, ordinary);
    const isReady = await untilReady(strike, stranger, id);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    if (isReady) note(`another tenant's picture was ready after ${seconds} s`);
    else fail(`another tenant's picture was not ready after ${seconds} s`);
    // Some of them are still being drawn, or wait for another try.
    await untilReady(strike, hostile, ids.at(-1));
    const peaks = await memory.stop();
    note(`at most ${inWords(peaks)}, children included`);
    if (Math.max(...peaks.values()) > MEMORY_MIB_MAX) fail(`more than ${MEMORY_MIB_MAX} MiB for images`);
    for (const each of ids) await request(strike, hostile, "DELETE", `/v1/media/${each}`);
    await platform.untilReady();
  },
};

async function upload(
  { platform }: Strike,
  tenant: TenantCredentials,
  picture: Picture,
): Promise<string | undefined> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(picture.bytes)]), picture.filename);
  const response = await fetch(`${platform.url}/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.apiKey}` },
    body: form,
    signal: AbortSignal.timeout(READY_WITHIN_MS),
  }).catch(() => undefined);
  const body = response && ((await response.json()) as { data?: { id: string } });
  return body?.data?.id;
}

/** Whether it was drawn, or given up, in time. */
async function untilReady(
  strike: Strike,
  tenant: TenantCredentials,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return false;
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; ) {
    const media = await request(strike, tenant, "GET", `/v1/media/${id}`);
    if (media?.status === "ready" || media?.status === "failed") return media.status === "ready";
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

async function request({ platform }: Strike, tenant: TenantCredentials, method: string, path: string) {
  const response = await fetch(platform.url + path, {
    method,
    headers: { authorization: `Bearer ${tenant.apiKey}` },
    signal: AbortSignal.timeout(READY_WITHIN_MS),
  }).catch(() => undefined);
  const body = response && ((await response.json()) as { data?: { status?: string } });
  return body?.data;
}
