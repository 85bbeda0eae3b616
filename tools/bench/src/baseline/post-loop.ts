// The baseline for deliveries: undici posts fixed bytes to the same receivers in a loop, and stores nothing. Like the webhooks
// service it is a separate process, which prints its processor time: `node post-loop.ts <count> <concurrency> <bytes> <url> …`.
import { Agent } from "undici";

const [count = 0, concurrency = 0, bytes = 0] = process.argv.slice(2, 5).map(Number);
const urls = process.argv.slice(5).map((url) => new URL(url));
const body = Buffer.alloc(bytes, "x");
const agent = new Agent({ connections: concurrency, pipelining: 1 });
const headers = { "content-type": "application/json", "user-agent": "Bench/1" };

let next = 0;
async function loop(): Promise<void> {
  while (next < count) {
    const url = urls[next % urls.length] as URL;
    next += 1;
    const response = await agent.request({ origin: url.origin, path: "/", method: "POST", body, headers });
    await response.body.text();
    if (response.statusCode !== 200) throw new Error(`the receiver responded with ${response.statusCode}`);
  }
}
await Promise.all(Array.from({ length: concurrency }, loop));
await agent.close();
const { user, system } = process.cpuUsage();
// The processor time of the whole process, in milliseconds.
console.log((user + system) / 1_000);
