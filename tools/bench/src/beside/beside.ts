// `--beside COMMIT`: both commits' platforms run at the same time, each by its own `npm start`, and are measured in turn, so that
// other load on the machine is on both.
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import type { Bench, MeasureContext, Scale } from "../benches/bench.ts";
import { observePlatform } from "../observe.ts";
import { type Comparison, compare, formatComparison, headOf, type Samples } from "../ratios.ts";
import { startReceivers } from "../receivers.ts";
import { checkOut, launchPlatform } from "./launch.ts";

const SHORT_COMMIT = 8;

interface Options {
  readonly commit: string;
  readonly scale: Scale;
  /** For the data of both platforms, and the work tree. */
  readonly directory: string;
  readonly running: AsyncDisposableStack;
}

/** Prints the comparison of each bench when it has ended. */
export async function measureBeside(selected: readonly Bench[], options: Options): Promise<Comparison[]> {
  const { commit, directory, running } = options;
  const name = commit.slice(0, SHORT_COMMIT);
  console.log(`Starting this platform, and that of ${name} …`);
  const tree = path.join(directory, "tree");
  await checkOut(commit, tree, running);
  const contexts = await Promise.all([
    open(ROOT, path.join(directory, "this"), options),
    open(tree, path.join(directory, "other"), options),
  ]);
  console.log(headOf(name));
  const all: Comparison[] = [];
  for (const { turn } of selected) {
    if (turn === undefined) continue;
    const [measured, other] = await pairsOf(turn, contexts, options.scale);
    const compared = compare(measured, other);
    for (const comparison of compared) console.log(formatComparison(comparison));
    all.push(...compared);
  }
  return all;
}

async function pairsOf(
  turn: NonNullable<Bench["turn"]>,
  contexts: readonly [MeasureContext, MeasureContext],
  { turns, isShort }: Scale,
) {
  const pairs: [measured: Samples[], other: Samples[]] = [[], []];
  // The first turn does not count, because code is compiled in it.
  for (let count = isShort ? 1 : 0; count <= turns; count += 1) {
    for (const [index, context] of contexts.entries()) {
      const samples = await turn(context);
      if (count > 0) pairs[index]?.push(samples);
    }
  }
  return pairs;
}

async function open(root: string, dataDir: string, { scale, running }: Options): Promise<MeasureContext> {
  const platform = await launchPlatform(root, dataDir, running);
  const addresses = new Array<string>(scale.endpoints).fill("127.0.0.1");
  const receivers = await startReceivers(platform.dataDir, addresses);
  running.defer(() => receivers.stop());
  return { platform, receivers, scale, observe: observePlatform(platform) };
}
