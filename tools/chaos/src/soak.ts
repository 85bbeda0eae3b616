// `npm run soak [-- --minutes N]`: what only time shows. The private platform of `npm run chaos`, two of each service, under a
// steady stream and no fault at all; memory, handles, connections, tables and queues are measured throughout. Exit status
// 1 where one of them grows without bound, or anything was lost or came out wrong.
import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TenantCredentials } from "@tradepost/devstack";
import { table } from "@tradepost/ops/table";
import { sleep } from "@tradepost/runtime";
import { issueCertificate } from "@tradepost/testing";
import { Command } from "commander";
import { readCommitted } from "./committed.ts";
import { judge, type Sample, type Series } from "./growth.ts";
import { startEventObserver, startWebhookObserver } from "./observer.ts";
import { type ChaosPlatform, startChaosPlatform } from "./platform.ts";
import { type Row, reconcile } from "./reconcile.ts";
import { head, rowLine } from "./report.ts";
import { faultsOf } from "./run-fault.ts";
import { startSampling } from "./sample.ts";
import { startStream } from "./stream.ts";
import { chaosTenants } from "./tenants.ts";

const SAMPLE_EVERY_MS = 3_000;
const SETTLE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;

interface World {
  readonly platform: ChaosPlatform;
  readonly tenants: readonly TenantCredentials[];
  readonly receiver: Awaited<ReturnType<typeof startWebhookObserver>>;
  readonly hearing: ReturnType<typeof startEventObserver>;
}

interface Options {
  minutes: string;
  rate: string;
  json?: string;
}

const program = new Command("soak")
  .description(
    "Runs a private Tradepost under a steady stream, and tells whether anything grows without bound.",
  )
  .option("--minutes <n>", "how long the stream lasts", "20")
  .option("--rate <n>", "operations a second", "30")
  .option("--json <file>", "write the figures there, too");
program.parse();
process.exit(await run(program.opts<Options>()));

async function run({ minutes, rate, json }: Options): Promise<number> {
  const [lastMinutes, operationsPerSecond] = [Number(minutes), Number(rate)];
  if (!(lastMinutes > 0) || !(operationsPerSecond > 0)) {
    console.error("--minutes and --rate must be numbers above 0.");
    return 1;
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-soak-"));
  // Where we are root, Postgres runs as somebody else, who must pass through.
  await chmod(dataDir, 0o755);
  const platform = await startChaosPlatform(dataDir, console.log);
  await using running = new AsyncDisposableStack();
  running.defer(() => platform.kill());
  const world = await people(platform, running);
  console.log(`${operationsPerSecond} operations a second for ${lastMinutes} minutes …`);
  const { row, samples } = await soak(world, lastMinutes, operationsPerSecond);
  const series = judge(samples);
  const wrong = [...faultsOf({}, row), ...growing(series)];
  console.log(`\n${table(series.map(line), "Nothing was measured.")}\n`);
  console.log(`${head(5)}\n${rowLine("soak", row, 5)}\n`);
  console.log(
    wrong.length === 0 ? "Nothing grows, nothing is lost." : `Not as promised: ${wrong.join(", ")}.`,
  );
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ row, series, samples }, null, 2)}\n`);
  return wrong.length === 0 ? 0 : 1;
}

/** Who sends, who receives and who listens. */
async function people(platform: ChaosPlatform, running: AsyncDisposableStack): Promise<World> {
  const authority = path.join(platform.dataDir, "ca/authority");
  const [certificate, key] = await Promise.all([
    readFile(`${authority}.crt`, "utf8"),
    readFile(`${authority}.key`, "utf8"),
  ]);
  const receiver = await startWebhookObserver(
    await issueCertificate({ certificate, key }, ["localhost", "127.0.0.1"]),
  );
  running.defer(() => receiver.stop());
  const hearing = startEventObserver(platform.rabbitmq.amqpUrl);
  running.defer(() => hearing.stop());
  await hearing.whenUp();
  const tenants = await chaosTenants(platform, receiver.url);
  for (const [index, { signingSecret }] of tenants.entries())
    receiver.expect(`/chaos-${index + 1}`, signingSecret);
  return { platform, tenants, receiver, hearing };
}

async function soak({ platform, tenants, receiver, hearing }: World, minutes: number, rate: number) {
  const startedAt = Date.now();
  const endsAt = startedAt + minutes * 60_000;
  const sampling = startSampling(platform);
  const stream = startStream(platform.url, tenants, rate);
  const samples: Sample[] = [];
  try {
    while (Date.now() < endsAt) {
      samples.push({ minutes: (Date.now() - startedAt) / 60_000, values: await sampling.take() });
      await sleep(Math.min(SAMPLE_EVERY_MS, Math.max(0, endsAt - Date.now())));
    }
  } finally {
    await sampling.stop();
  }
  // Nothing was broken: what counts is that what is begun last still comes out.
  const healedAt = Date.now() - SAMPLE_EVERY_MS;
  await stream.stop();
  const look = async () =>
    reconcile({
      ...(await readCommitted(platform.databases, new Date(startedAt - 1_000))),
      operations: stream.operations,
      refusals: stream.refusals,
      heard: hearing.heard,
      webhooks: receiver.webhooks,
      forged: receiver.forgedCount(),
      healedAt,
      unexpectedExits: deaths(platform),
    });
  let row: Row = await look();
  for (
    const deadline = Date.now() + SETTLE_WITHIN_MS;
    row.lost > 0 && Date.now() < deadline;
    row = await look()
  )
    await sleep(LOOK_EVERY_MS);
  return { row, samples };
}

function deaths(platform: ChaosPlatform): number {
  const names = [...platform.services.map(({ name }) => name), "rabbitmq", "postgres"];
  return names.reduce((sum, name) => sum + platform.process(name).unexpectedExits(), 0);
}

function growing(series: readonly Series[]): string[] {
  return series.filter(({ grows }) => grows).map(({ name }) => `${name} grows`);
}

function line({ name, firstQuarter, secondQuarter, lastQuarter, perMinute, grows }: Series) {
  return {
    measure: name,
    "first quarter": firstQuarter,
    second: secondQuarter,
    "last quarter": lastQuarter,
    "a minute": perMinute.toFixed(2),
    "": grows ? "grows" : "",
  };
}
