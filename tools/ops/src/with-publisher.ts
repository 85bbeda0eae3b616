import { type Publisher, startPublisher } from "@tradepost/messaging";
import { createLogger, withDeadline } from "@tradepost/runtime";
import { reach } from "./with-database.ts";

const CONNECT_TIMEOUT_MS = 5_000;

/** Does `work` with a connection to the broker. @throws Unreachable without a broker. */
export async function withPublisher<Result>(
  url: string,
  work: (publisher: Publisher) => Promise<Result>,
  declare: Parameters<typeof startPublisher>[0]["declare"] = async () => {},
): Promise<Result> {
  const publisher = startPublisher({ url, name: "ops", logger: createLogger("ops", "silent"), declare });
  try {
    await reach(url, () => withDeadline(publisher.whenUp(), CONNECT_TIMEOUT_MS, "no response"));
    return await work(publisher);
  } finally {
    await publisher.stop();
  }
}
