// Counts in this process without growing for ever: an attacker can invent any number of e-mails and addresses.
import { type IRateLimiterOptions, RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

// About 20 MB. Counts of failed sign-ins never get near it: each needs a password hash, of which a process makes some ten a
// second, and a count that is given back is deleted.
const KEYS_MAX = 100_000;

/**
 * The library's limiter in memory with at most `keysMax` keys; one more drops the key that was counted longest ago. It is
 * a class because the limiter over Redis takes nothing else as its insurance.
 */
export class BoundedMemoryLimiter extends RateLimiterMemory {
  readonly #keysMax: number;
  /** In the order of their latest count. */
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

  /** A key whose count is back at zero, or whose window is over, is as good as one never seen. */
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
