/** Numbers by name, such as `round trips: orders`. */
export type Counts = ReadonlyMap<string, number>;
export type Count = (name: string) => void;

/** Returns a function that counts one, also under the name `all`, and one that returns the numbers so far. */
export function startCounting() {
  const counts = new Map<string, number>();
  return {
    count: (name: string) => {
      for (const one of [name, "all"]) counts.set(one, (counts.get(one) ?? 0) + 1);
    },
    counted: (): Counts => new Map(counts),
  };
}

export function difference(before: Counts, after: Counts): Counts {
  return new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));
}
