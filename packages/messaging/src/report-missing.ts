// Logs messages that were published and did not arrive, with the command that publishes them again.
import type { Logger } from "@tradepost/runtime";

interface MissingMessages {
  readonly service: string;
  /** Null if nothing is missing. */
  readonly since: Date | null;
  readonly until: Date | null;
  readonly facts: object;
}

/**
 * Returns a function that logs what is missing of each service whenever the command changes, and once when nothing is missing any
 * more. It returns whether anything is missing. `what` is the subject of the line, such as `published events`.
 */
export function reportMissing(
  logger: Logger,
  what: string,
): (services: readonly MissingMessages[]) => boolean {
  let reported = new Map<string, string>();
  return (services) => {
    const found = new Map(
      services.flatMap((missing) => (missing.since === null ? [] : [[missing.service, commandFor(missing)]])),
    );
    for (const { service, facts } of services) {
      const command = found.get(service);
      if (command !== undefined && command !== reported.get(service))
        logger.error({ producer: service, ...facts, command }, `${what} did not arrive and may be lost`);
      if (command === undefined && reported.has(service))
        logger.info({ producer: service }, `no ${what} are known to be missing any more`);
    }
    reported = found;
    return found.size > 0;
  };
}

function commandFor({ service, since, until }: MissingMessages): string {
  return `npm run ops -- events republish --service ${service} --since ${since?.toISOString()} --until ${until?.toISOString()}`;
}
