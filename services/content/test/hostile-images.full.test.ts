// Images that are made to exhaust memory: the service and its decoders together stay below 1 GiB, and another tenant's
// picture does not wait for them. The service runs in a separate process, so that its memory can be measured. Also: how a decoder
// of a large image ends.
import { type ServiceProcess, until } from "@tradepost/testing";
import sharp from "sharp";
import { startDecoders } from "../src/media/image/start-decoders.ts";
import { deepRotatedPng, progressiveJpeg, wideAvif, wideWebp } from "./support/hostile-images.ts";
import { picture, upload } from "./support/media-client.ts";
import { childrenOf, decodersOf, environmentOf, isAlive, treeBytes } from "./support/processes.ts";
import { startTestContent, type TestContent, type TestTenant } from "./support/test-content.ts";

const MIB = 1024 ** 2;
const PIXELS_MAX = 50_000_000;
const SAMPLE_EVERY_MS = 25;
const ALL_DONE_WITHIN_MS = 200_000;
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("hostile images", () => {
  let content: TestContent;
  let service: ServiceProcess;
  beforeAll(async () => {
    content = await startTestContent();
    await content.stopService();
    service = await content.startProcess();
  });
  afterAll(() => content.stop());

  const newTenant = () => content.newTenant(undefined, service.url);
  const mediaOf = async (tenant: TestTenant) => (await tenant.get("/v1/media?limit=100")).body.data;
  const isDone = ({ status }: { status: string }) => status === "ready" || status === "failed";
  const nextDecoder = () => until("a decoder", () => decodersOf(service.pid)[0]);

  test(
    "take less than 1 GiB and do not delay another tenant's picture",
    async () => {
      const [jpeg, png, webp] = [await progressiveJpeg(), await deepRotatedPng(), await wideWebp()];
      const images = [jpeg, wideAvif(), png, webp, wideAvif(), jpeg, png, webp, wideAvif(), jpeg];
      const small = await (await picture(800, 600)).jpeg().toBuffer();
      const [one, two, other] = [newTenant(), newTenant(), newTenant()];
      const hostile = async () => [...(await mediaOf(one)), ...(await mediaOf(two))];
      let peakBytes = 0;
      const sampling = setInterval(() => {
        peakBytes = Math.max(peakBytes, treeBytes(service.pid));
      }, SAMPLE_EVERY_MS);
      try {
        for (const [index, image] of images.entries()) {
          expect((await upload(index % 2 === 0 ? one : two, image)).status).toBe(201);
        }
        const startedAt = Date.now();
        const { id } = (await upload(other, small)).body.data;
        await until("the other tenant's picture", async () => {
          const { status } = (await other.get(`/v1/media/${id}`)).body.data;
          return status === "ready";
        });
        const pictureMs = Date.now() - startedAt;
        // Its turn comes after the images being decoded, not after all that wait.
        expect((await hostile()).every(isDone)).toBe(false);
        await until(
          "the hostile images to be done",
          async () => (await hostile()).every(isDone),
          ALL_DONE_WITHIN_MS,
        );
        process.stderr.write(
          `hostile images: peak ${Math.round(peakBytes / MIB)} MiB, other tenant's picture after ${pictureMs} ms\n`,
        );
      } finally {
        clearInterval(sampling);
      }
      expect(peakBytes).toBeLessThan(1024 * MIB);
      const reasons = (await hostile())
        .filter(({ status }: { status: string }) => status === "failed")
        .map(({ contentType, failureReason }: Record<string, string>) => `${contentType}: ${failureReason}`);
      expect(reasons.sort()).toEqual([
        ...Array(3).fill("image/avif: needs more than 320 MiB to decode"),
        ...Array(2).fill("image/png: needs more than 320 MiB to decode"),
      ]);
    },
    ALL_DONE_WITHIN_MS + 60_000,
  );

  test("are decoded in an environment without secrets", async () => {
    const tenant = newTenant();
    await upload(tenant, await progressiveJpeg());
    const names = environmentOf(await nextDecoder()).map((entry) => entry.split("=")[0]);
    expect(names.sort()).toEqual([
      "MALLOC_ARENA_MAX",
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
      "PATH",
      "UV_THREADPOOL_SIZE",
    ]);
  });

  test("leave no decoder running when the service is killed", async () => {
    await upload(newTenant(), await progressiveJpeg());
    const decoder = await nextDecoder();
    expect(childrenOf(service.pid)).toContain(decoder);
    await service.kill("SIGKILL");
    await until("the decoder to be gone", () => !isAlive(decoder));
  });
});

onLinux("a decoder of a large image", () => {
  const never = new AbortController().signal;
  test("gets no more memory from the kernel than its limit", async () => {
    const limited = startDecoders({ pixelsMax: PIXELS_MAX, memoryBytesMax: 180 * MIB });
    const gif = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: "#fff" } })
      .gif({ effort: 1 })
      .toBuffer();
    // libvips reports that memory is missing, but GLib, which the GIF loader uses, aborts the process.
    expect(await limited(gif, never)).toMatchObject({
      failure: "crash",
      stderr: expect.stringMatching(/allocate/),
    });
    expect(await limited(await progressiveJpeg(), never)).toEqual({
      failureReason: "takes too much memory to process",
    });
  });

  test("ends when the caller's signal is aborted", async () => {
    const stopping = new AbortController();
    const decoding = startDecoders({ pixelsMax: PIXELS_MAX })(await wideWebp(), stopping.signal);
    await until("the decoder", () => decodersOf(process.pid)[0]);
    stopping.abort(new Error("the service is stopping"));
    await expect(decoding).rejects.toThrow("the service is stopping");
    expect(decodersOf(process.pid)).toEqual([]);
  });
});
