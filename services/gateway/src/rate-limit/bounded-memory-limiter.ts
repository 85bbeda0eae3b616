// Counts in this process with a bounded number of keys, because an attacker can invent any number of e-mails and addresses.
import { type IRateLimiterOptions, RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

// About 20 MB. Failed sign-ins never come near it: each needs a password hash, a process computes about ten a second, and
// a count that is taken back is deleted.
const KEYS_MAX = 100_000;

/**
 * The library's memory limiter with at most `keysMax` keys. One more drops the key that was counted longest ago. It is a
 * class because the library accepts only a subclass as the `insuranceLimiter` of its Redis limiter.
 */
export class BoundedMemoryLimiter extends RateLimiterMemory {
  readonly #keysMax: number;
  /** The key counted longest ago comes first. */
  readonly #keys = new Set<string>();

  constructor(options: IRateLimiterOptions, keysMax = KEYS_MAX) {
    super(options);
    this.#keysMax = keysMax;
  }

  get keyCount(): number {
    return this.#keys.size;
  }

  override async consume(key: string, points?: number): Promise<RateLimiterRes> {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > this.#keysMax && oldest !== undefined) await this.delete(oldest);
    return await super.consume(key, points);
  }

  /** Deletes a key whose count is back at zero or whose window is over, because it needs no entry. */
  override async reward(key: string, points?: number): Promise<RateLimiterRes> {
    const state = await super.reward(key, points);
    if (state.consumedPoints <= 0) await this.delete(key);
    return state;
  }

  override async delete(key: string): Promise<boolean> {
    this.#keys.delete(key);
    return await super.delete(key);
  }
}
