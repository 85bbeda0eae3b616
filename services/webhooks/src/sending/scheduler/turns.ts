// The ring of one lane, in which tenants take turns, and a tenant's endpoints among themselves. First is the tenant with the fewest
// attempts; among equals, the one that has waited longest. Every operation takes constant time. Pure.
import type { Lane } from "./lanes.ts";
import { append, createList, type Linked, type LinkedList, remove, unlinked } from "./linked-list.ts";

export interface TurnQueue<Item> extends Linked<TurnQueue<Item>> {
  held: number;
  readonly items: LinkedList<Item>;
}

export function createQueue<Item>(): TurnQueue<Item> {
  return { ...unlinked<TurnQueue<Item>>(), held: 0, items: createList() };
}

export type Rings<Item extends Linked<Item>> = Readonly<Record<Lane, ReturnType<typeof createTurns<Item>>>>;

export function createRings<Item extends Linked<Item>>(): Rings<Item> {
  return { proven: createTurns(), other: createTurns(), down: createTurns() };
}

function createTurns<Item extends Linked<Item>>() {
  const byHeld: LinkedList<TurnQueue<Item>>[] = [];
  /** No queue in the ring has fewer attempts than this. */
  let heldMin = 0;

  function enter(queue: TurnQueue<Item>): void {
    const { held } = queue;
    while (byHeld.length <= held) byHeld.push(createList());
    append(byHeld[held] ?? createList<TurnQueue<Item>>(), queue);
    heldMin = Math.min(heldMin, held);
  }

  return {
    push(queue: TurnQueue<Item>, item: Item): void {
      append(queue.items, item);
      if (queue.list === null) enter(queue);
    },

    remove(queue: TurnQueue<Item>, item: Item): void {
      remove(item);
      if (queue.items.length === 0) remove(queue);
    },

    /** Puts the queue after others with as many attempts. */
    hold(queue: TurnQueue<Item>, change: 1 | -1): void {
      queue.held += change;
      if (queue.list !== null) enter(queue);
    },

    first(): TurnQueue<Item> | null {
      for (; heldMin < byHeld.length; heldMin += 1) {
        const queue = byHeld[heldMin]?.first;
        if (queue) return queue;
      }
      return null;
    },
  };
}
