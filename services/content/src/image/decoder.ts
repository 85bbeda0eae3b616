// The program of a decoder process: reads an image from standard input, writes its derivatives to standard output, and
// exits. It imports as little as possible, because every image waits for it to start. `start-decoders.ts` sets its limits.
import { buffer } from "node:stream/consumers";
import { limitResources } from "./limit-resources.ts";
import { makeVariants } from "./make-variants.ts";

const REPORT_EVERY_MS = 50;

const [pixelsMax = 0, memoryBytesMax = 0] = process.argv.slice(2).map(Number);

// The service has exited. A normal exit would wait for libvips's threads, which may be busy for long.
const onDisconnect = () => process.kill(process.pid, "SIGKILL");
process.once("disconnect", onDisconnect);

limitResources(memoryBytesMax);
const reporting = setInterval(
  () => process.send?.({ residentBytes: process.memoryUsage.rss() }),
  REPORT_EVERY_MS,
);

const result = await makeVariants(await buffer(process.stdin), pixelsMax);
// The format that `readOutput` reads: a line of JSON, then the files that it lists, one after the other.
const files = "variants" in result ? result.variants.map(({ bytes }) => bytes) : [];
const head =
  "variants" in result ? { ...result, variants: result.variants.map(({ variant }) => variant) } : result;
process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files]));

clearInterval(reporting);
process.off("disconnect", onDisconnect);
process.disconnect();
