// A doubly linked list from which any item is removed in constant time. An item is in at most one list. Pure.

export interface Linked<Item> {
  list: LinkedList<Item> | null;
  previous: Item | null;
  next: Item | null;
}

export interface LinkedList<Item> {
  first: Item | null;
  last: Item | null;
  length: number;
}

export function createList<Item>(): LinkedList<Item> {
  return { first: null, last: null, length: 0 };
}

export function unlinked<Item>(): Linked<Item> {
  return { list: null, previous: null, next: null };
}

/** Removes it from its current list, if any. */
export function append<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  remove(item);
  item.list = list;
  item.previous = list.last;
  if (list.last === null) list.first = item;
  else list.last.next = item;
  list.last = item;
  list.length += 1;
}

export function remove<Item extends Linked<Item>>(item: Item): void {
  const { list, previous, next } = item;
  if (list === null) return;
  if (previous === null) list.first = next;
  else previous.next = next;
  if (next === null) list.last = previous;
  else next.previous = previous;
  item.list = null;
  item.previous = null;
  item.next = null;
  list.length -= 1;
}
