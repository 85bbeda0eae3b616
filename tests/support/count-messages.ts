// Counts the messages between the services and the broker, in a proxy between them.
import net from "node:net";
import { joinSockets, listenLocally } from "@tradepost/testing";
import type { Count } from "./counts.ts";

// Methods of the class `basic` in AMQP 0.9.1, as class and method.
const CONSUME = "60.20";
const CONSUME_OK = "60.21";
const PUBLISH = "60.40";
const DELIVER = "60.60";
const METHOD_FRAME = 1;
const HEADER_BYTES = 7;

/** Counts what is published by exchange, and what is delivered by queue. */
export async function startMessageCounter(amqpUrl: string, count: Count) {
  const { hostname, port } = new URL(amqpUrl);
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname);
    // Channels are counted from 1 in each connection.
    const asked = new Map<number, string[]>();
    const queues = new Map<string, string>();
    client.on(
      "data",
      readMethods("AMQP0091".length, (channel, method, args) => {
        if (method === CONSUME) asked.set(channel, [...(asked.get(channel) ?? []), textAt(args, 2)]);
        if (method === PUBLISH) count(`messages published: ${textAt(args, 2)}`);
      }),
    );
    server.on(
      "data",
      readMethods(0, (channel, method, args) => {
        const consumer = `${channel} ${textAt(args, 0)}`;
        if (method === CONSUME_OK) queues.set(consumer, asked.get(channel)?.shift() ?? "");
        if (method === DELIVER) count(`messages: ${queues.get(consumer)}`);
      }),
    );
    joinSockets(client, server);
  });
  const local = await listenLocally(proxy);
  const url = new URL(amqpUrl);
  url.host = `127.0.0.1:${local.port}`;
  return { url: url.href, stop: local.stop };
}

type ReadMethod = (channel: number, method: string, args: Buffer) => void;

/** Skips the bytes before the first frame. */
function readMethods(skip: number, read: ReadMethod): (bytes: Buffer) => void {
  let pending = Buffer.alloc(0);
  let start = skip;
  return (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= start + HEADER_BYTES) {
      const end = start + HEADER_BYTES + pending.readUInt32BE(start + 3);
      if (pending.length <= end) return;
      if (pending[start] === METHOD_FRAME) {
        const body = pending.subarray(start + HEADER_BYTES, end);
        const method = `${body.readUInt16BE(0)}.${body.readUInt16BE(2)}`;
        read(pending.readUInt16BE(start + 1), method, body.subarray(4));
      }
      // A frame ends with one more byte.
      pending = pending.subarray(end + 1);
      start = 0;
    }
  };
}

/** A short text, after its length. Empty where the arguments end before. */
function textAt(args: Buffer, start: number): string {
  return args.toString("utf8", start + 1, start + 1 + (args[start] ?? 0));
}
