// Chooses TCP ports on 127.0.0.1 for the servers and services, and keeps them from one start to the next.
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";

/**
 * Returns one free port for each name and saves the choice in `file`. A port that an earlier call saved there is used
 * again if it is free. Throws when no port of the range is free.
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
 * A free port below the range for outgoing connections: while a program restarts, no outgoing connection of another
 * program can take its port.
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

/** Whether a port of 127.0.0.1 accepts connections. */
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
