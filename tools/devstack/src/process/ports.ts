// Chooses TCP ports on 127.0.0.1 for what is started, and keeps to them from one start to the next.
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";

/**
 * One free port for each name. Ports saved in `file` by an earlier call are kept where they are free; the
 * choice is saved. Throws when the machine has no free port in the range.
 */
export async function claimPorts<Name extends string>(
  file: string,
  names: Name[],
): Promise<Record<Name, number>> {
  const saved = readSaved(file);
  const claimed: Record<string, number> = {};
  for (const name of names) {
    const before = saved[name];
    claimed[name] =
      before !== undefined && (await isPortFree(before)) ? before : await freePort(Object.values(claimed));
  }
  writeFileSync(file, JSON.stringify(claimed), { mode: 0o600 });
  return claimed as Record<Name, number>;
}

/**
 * A free port below the ones the system gives to outgoing connections: a program that is started again on
 * its port must not find that a stranger's connection took it meanwhile.
 */
async function freePort(taken: number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    if (!taken.includes(port) && (await isPortFree(port))) return port;
  }
  throw new Error("No free port was found between 20000 and 32000 on 127.0.0.1.");
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether something accepts connections on a port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

function readSaved(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
