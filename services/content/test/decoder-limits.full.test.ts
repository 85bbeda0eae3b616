// How a decoder process that works on a large image ends: at its limit of memory, killed, or with its caller. The processes are real.
import { until } from "@tradepost/testing";
import sharp from "sharp";
import { startDecoders } from "../src/media/image/start-decoders.ts";
import { progressiveJpeg, wideWebp } from "./support/hostile-images.ts";
import { decodersOf } from "./support/processes.ts";

const PIXELS_MAX = 50_000_000;
const MIB = 1024 * 1024;
const onLinux = process.platform === "linux" ? test : test.skip;

const image = await wideWebp();

describe("a decoder of a large image", () => {
  const never = new AbortController().signal;
  const decode = startDecoders({ pixelsMax: PIXELS_MAX });

  onLinux("gets no more memory from the kernel than its limit", async () => {
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

  onLinux("ends when the caller's signal is aborted", async () => {
    const stopping = new AbortController();
    const decoding = decode(image, stopping.signal);
    await until("the decoder", () => decodersOf(process.pid)[0]);
    stopping.abort(new Error("the service is stopping"));
    await expect(decoding).rejects.toThrow("the service is stopping");
    expect(decodersOf(process.pid)).toEqual([]);
  });
});
