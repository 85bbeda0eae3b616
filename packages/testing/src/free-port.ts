import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";

// Below the range for outgoing connections, one of which could otherwise take the port while its server is down.
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 100;

// The server of a port may not have started yet, or be down for a moment, so each is chosen once.
const chosen = new Set<number>();

/** Chooses a port for a server that stops and starts again. Rejects if it finds none. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (claim(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST} on 127.0.0.1.`);
}

/** Returns false if this process, or another one of its run of tests, has it already. */
function claim(port: number): boolean {
  if (chosen.has(port)) return false;
  chosen.add(port);
  const directory = process.env.TEST_PORTS_DIRECTORY;
  if (directory === undefined) return true;
  try {
    writeFileSync(path.join(directory, `port-${port}`), "", { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
