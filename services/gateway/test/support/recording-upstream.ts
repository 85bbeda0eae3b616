// A hand-written HTTP server in a service's place: keeps every request as it arrived and answers as it is told.
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";

interface Recorded {
  readonly req: IncomingMessage;
  readonly body: Buffer;
}

export type Reaction = (res: ServerResponse, recorded: Recorded) => void;

export async function startRecordingUpstream() {
  const recorded: Recorded[] = [];
  let react: Reaction = (res) => res.end("{}");
  let readsBodies = true;
  let look: (req: IncomingMessage) => void = () => undefined;
  const server = http.createServer(async (req, res) => {
    look(req);
    const chunks: Buffer[] = [];
    try {
      if (readsBodies) for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      return; // It was cut short.
    }
    const request = { req, body: Buffer.concat(chunks) };
    recorded.push(request);
    react(res, request);
  });
  const url = await listen(server);
  return {
    url,
    recorded,
    /** Changes the answer from the next request on. */
    behave: (next: Reaction) => {
      react = next;
    },
    /** Whether the answer waits for the body. */
    readBodies: (reads: boolean) => {
      readsBodies = reads;
    },
    /** Sees every request before its body is read. */
    onRequest: (next: (req: IncomingMessage) => void) => {
      look = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** In: the bytes to answer whatever comes with, before the connection is closed. */
export async function startByteServer(answer: string) {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  const url = await listen(server);
  return { url, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

async function listen(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
