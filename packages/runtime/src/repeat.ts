// Does a piece of background work again and again, with a wait in between that can be cut short: the heartbeat of the
// relay and the sweep.

export interface Repetition {
  /** Ends the present wait, or, where the work is under way, lets it follow itself at once. */
  wake(): void;
  /** Lets the work in hand finish, then ends. */
  stop(): Promise<void>;
}

/** In: the work, which must not reject; it resolves with how many ms to wait before it is done again. */
export function repeat(work: () => Promise<number>): Repetition {
  let isStopping = false;
  let isWoken = false;
  let endWait = () => {};

  async function live(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      const waitMs = await work();
      if (!isWoken && !isStopping && waitMs > 0) await wait(waitMs);
    }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const living = live();
  return {
    wake: () => {
      isWoken = true;
      endWait();
    },
    stop: async () => {
      isStopping = true;
      endWait();
      await living;
    },
  };
}
