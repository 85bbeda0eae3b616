// The program of a decoder's process: one image from standard input, its derivatives to standard output, then its end.
// Imports no more than it needs: each image waits for it to start. See `run-decoder` for what holds it.
import { buffer } from "node:stream/consumers";
import { limitSelf } from "./limit-self.ts";
import { makeVariants } from "./make-variants.ts";

const REPORT_EVERY_MS = 50;

const [pixelsMax = 0, memoryBytesMax = 0] = process.argv.slice(2).map(Number);

// The service is gone. A thread of libvips may be busy for long, and an orderly exit waits for it.
const onDisconnect = () => process.kill(process.pid, "SIGKILL");
process.once("disconnect", onDisconnect);

limitSelf(memoryBytesMax);
const reporting = setInterval(
  () => process.send?.({ residentBytes: process.memoryUsage.rss() }),
  REPORT_EVERY_MS,
);

const made = await makeVariants(await buffer(process.stdin), pixelsMax);
// What `readOutput` reads: a line of JSON, then the files it names, one after the other.
const files = "variants" in made ? made.variants.map(({ bytes }) => bytes) : [];
const head = "variants" in made ? { ...made, variants: made.variants.map(({ variant }) => variant) } : made;
process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files]));

clearInterval(reporting);
process.off("disconnect", onDisconnect);
process.disconnect();
