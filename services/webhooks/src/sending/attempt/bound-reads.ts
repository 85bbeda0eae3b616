// Limits the bytes that one attempt reads from a receiver to 128 KiB, whatever they are. The heads of interim responses (1xx) are
// followed byte by byte, because a packet may begin and end anywhere in them.
import type { Socket } from "node:net";
import { errors } from "undici";

/** Of all the responses to one request, final and interim. */
const BYTES_READ_MAX = 128 * 1024;

export interface Reading {
  bytesLeft: number;
  acceptContinue: (chunk: Buffer) => void;
}

export function startReading(): Reading {
  return { bytesLeft: BYTES_READ_MAX, acceptContinue: acceptingContinue() };
}

/** Makes undici read at most `reading.bytesLeft` bytes. One more byte destroys the socket, once the allowed bytes are parsed. */
export function boundReads(socket: Socket, reading: Reading): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    if (reading.bytesLeft < 0) {
      socket.destroy(new errors.ResponseExceededMaxSizeError());
      return null;
    }
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return chunk;
    reading.bytesLeft -= chunk.length;
    const allowed = reading.bytesLeft < 0 ? chunk.subarray(0, reading.bytesLeft) : chunk;
    reading.acceptContinue(allowed);
    return allowed;
  };
}

const [CR, LF] = [0x0d, 0x0a];
const [ZERO, ONE, THREE] = [0x30, 0x31, 0x33];
const FIRST_DIGIT = "HTTP/1.1 ".length;

/**
 * Makes undici accept a `100 Continue`, as clients must (RFC 9110 §15.2). undici closes the connection after an unrequested
 * `100 Continue`, but skips every other interim response, so the status is changed to 103. The bytes may come in any pieces.
 */
export function acceptingContinue(): (chunk: Buffer) => void {
  let isFinal = false;
  let isStatusLine = true;
  let column = 0;
  let isContinue = true;
  return (chunk) => {
    for (let at = 0; at < chunk.length && !isFinal; at += 1) {
      const byte = chunk[at];
      if (byte === LF) {
        // An empty line ends a head, or comes before a status line.
        isStatusLine = column === 0;
        column = 0;
      } else if (byte !== CR) {
        if (isStatusLine) {
          if (column === FIRST_DIGIT) isFinal = byte !== ONE;
          if (column === FIRST_DIGIT + 1) isContinue = byte === ZERO;
          if (column === FIRST_DIGIT + 2 && isContinue && byte === ZERO) chunk[at] = THREE;
        }
        column += 1;
      }
    }
  };
}
