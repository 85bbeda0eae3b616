// The parts of amqplib that this package uses although it does not export them. Check them when amqplib is upgraded.
import { createRequire } from "node:module";
import path from "node:path";

/** The broker closed a connection that was being opened, and says why, for example that it refuses the login. */
export class BrokerRefusal extends Error {
  override readonly name = "BrokerRefusal";
}

interface Frame {
  readonly id?: number;
  readonly fields?: { readonly replyCode?: number; readonly replyText?: string };
}

interface Connection {
  /** While a connection is being opened, passes the next frame to `take`. */
  step(take: (error: Error | null, frame: Frame | null) => void): void;
}

const CONNECTION_CLOSE = (10 << 16) + 50;

/** Makes the errors of `connect` say why the broker refuses: amqplib names only the kind of the frame. */
export function revealRefusals(): void {
  const require = createRequire(import.meta.url);
  const file = path.join(path.dirname(require.resolve("amqplib")), "lib/connection.js");
  const { prototype } = (require(file) as { Connection: { prototype: Connection } }).Connection;
  const { step } = prototype;
  prototype.step = function (take) {
    step.call(this, (error, frame) => {
      if (frame?.id !== CONNECTION_CLOSE) return take(error, frame);
      const { replyCode, replyText } = frame.fields ?? {};
      take(new BrokerRefusal(`${replyCode} ${replyText}`), null);
    });
  };
}
