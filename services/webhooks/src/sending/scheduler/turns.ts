// The ring of one lane: tenants in turn, and a tenant's endpoints in turn. The tenant with the fewest attempts in the lane is
// first; of those with equally many, the one that has waited longest. Every operation takes constant time. Pure.
import type { Lane } from "./lanes.ts";
import { append, createList, type Linked, type LinkedList, remove, unlinked } from "./linked-list.ts";

/** One tenant's part of the ring. */
export interface TurnQueue<Item> extends Linked<TurnQueue<Item>> {
  /** How many attempts of the tenant count in this lane. */
  held: number;
  readonly items: LinkedList<Item>;
}

export function createQueue<Item>(): TurnQueue<Item> {
  return { ...unlinked<TurnQueue<Item>>(), held: 0, items: createList() };
}

/** A ring for each lane. */
export type Rings<Item extends Linked<Item>> = Readonly<Record<Lane, ReturnType<typeof createTurns<Item>>>>;

export function createRings<Item extends Linked<Item>>(): Rings<Item> {
  return { proven: createTurns(), other: createTurns(), down: createTurns() };
}

function createTurns<Item extends Linked<Item>>() {
  const byHeld: LinkedList<TurnQueue<Item>>[] = [];
  /** No queue in the ring holds fewer. */
  let heldMin = 0;

  function enter(queue: TurnQueue<Item>): void {
    const { held } = queue;
    while (byHeld.length <= held) byHeld.push(createList());
    append(byHeld[held] ?? createList<TurnQueue<Item>>(), queue);
    heldMin = Math.min(heldMin, held);
  }

  return {
    /** Puts the item behind the tenant's others. */
    push(queue: TurnQueue<Item>, item: Item): void {
      append(queue.items, item);
      if (queue.list === null) enter(queue);
    },

    remove(queue: TurnQueue<Item>, item: Item): void {
      remove(item);
      if (queue.items.length === 0) remove(queue);
    },

    /** The tenant's attempts have changed: it goes behind the others that hold as many. */
    hold(queue: TurnQueue<Item>, change: 1 | -1): void {
      queue.held += change;
      if (queue.list !== null) enter(queue);
    },

    /** The tenant whose turn it is. */
    first(): TurnQueue<Item> | null {
      for (; heldMin < byHeld.length; heldMin += 1) {
        const queue = byHeld[heldMin]?.first;
        if (queue) return queue;
      }
      return null;
    },
  };
}
