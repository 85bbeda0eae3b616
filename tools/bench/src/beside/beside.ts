// `--beside COMMIT`: both commits' platforms run at the same time, each by its own `npm start`, and are measured in turn, so that
// other load on the machine is on both.
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import type { Bench, BesideContext, Scale } from "../benches/bench.ts";
import { observePlatform } from "../observe.ts";
import type { MeasuredPlatform } from "../platform.ts";
import { type Comparison, compare, formatComparison, headOf, type Samples } from "../ratios.ts";
import { startReceivers } from "../receivers.ts";
import { launchPlatform } from "./launch.ts";
import { checkOut } from "./work-tree.ts";

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
    open({ name: "This platform", root: ROOT, dataDir: path.join(directory, "this"), options }),
    open({ name, root: tree, dataDir: path.join(directory, "other"), options }),
  ]);
  console.log(headOf(name));
  const all: Comparison[] = [];
  // The others would disturb those that measure the platforms at rest.
  const inOrder = selected.toSorted(
    (a, b) => Number(a.atOnce !== undefined) - Number(b.atOnce !== undefined),
  );
  for (const bench of inOrder) {
    const [measured, other] = await pairsOf(bench, contexts, options.scale);
    const compared = compare(measured, other);
    for (const comparison of compared) console.log(formatComparison(comparison));
    all.push(...compared);
  }
  return all;
}

type Pairs = [measured: Samples[], other: Samples[]];

async function pairsOf(
  { turn, atOnce }: Bench,
  contexts: readonly [BesideContext, BesideContext],
  { turns, isShort }: Scale,
): Promise<Pairs> {
  if (atOnce !== undefined) {
    const samples = await atOnce(contexts);
    return samples.map((ofOne) => [ofOne]) as Pairs;
  }
  if (turn === undefined) throw new Error("the bench does not measure beside a commit");
  const pairs: Pairs = [[], []];
  // The first turn does not count, because code is compiled in it.
  for (let count = isShort ? 1 : 0; count <= turns; count += 1) {
    for (const [index, context] of contexts.entries()) {
      const samples = await turn(context);
      if (count > 0) pairs[index]?.push(samples);
    }
  }
  return pairs;
}

interface Side {
  readonly name: string;
  readonly root: string;
  readonly dataDir: string;
  readonly options: Options;
}

async function open(side: Side): Promise<BesideContext> {
  const { root, dataDir, options } = side;
  const platform = await launchPlatform(root, dataDir, options.running);
  return await contextOf(platform, side);
}

async function contextOf(platform: MeasuredPlatform, side: Side): Promise<BesideContext> {
  const { scale, running } = side.options;
  const receivers = await startReceivers(
    platform.dataDir,
    new Array<string>(scale.endpoints).fill("127.0.0.1"),
  );
  running.defer(() => receivers.stop());
  return {
    ...{ platform, receivers, scale, observe: observePlatform(platform) },
    startTogether: async () => {
      try {
        const dataDir = `${side.dataDir}-together`;
        const together = await launchPlatform(side.root, dataDir, running, ["--together"]);
        return await contextOf(together, side);
      } catch (error) {
        console.log(`${side.name} does not start in one process: ${(error as Error).message}`);
        return undefined;
      }
    },
  };
}
