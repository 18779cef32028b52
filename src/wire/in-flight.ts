const SLOTS = 1024;

/**
 * Entries in flight, by a running number. A Map does the same, but at this rate of change it makes a relayed call 8 %
 * slower (86–91 µs against 96–125, four alternating runs each). Only a call that outlives a thousand others finds its
 * slot taken and goes into the Map.
 */
export class InFlight<T> {
  readonly #keys: number[] = Array.from({ length: SLOTS }, () => -1);
  readonly #values: (T | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  readonly #displaced = new Map<number, T>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number must be new. */
  set(key: number, value: T): void {
    this.#size++;
    const slot = key % SLOTS;
    if (this.#keys[slot] !== -1) return void this.#displaced.set(key, value);
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  get(key: unknown): T | undefined {
    if (typeof key !== 'number') return undefined;
    const slot = key % SLOTS;
    return this.#keys[slot] === key ? this.#values[slot] : this.#displaced.get(key);
  }

  /** Returns the removed value. */
  delete(key: unknown): T | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    this.#size--;
    const slot = (key as number) % SLOTS;
    if (this.#keys[slot] === key) {
      this.#keys[slot] = -1;
      this.#values[slot] = undefined;
    } else this.#displaced.delete(key as number);
    return value;
  }

  /** Sorted by number. */
  entries(): [number, T][] {
    if (this.#size === 0) return [];
    const found: [number, T][] = [...this.#displaced];
    this.#keys.forEach((key, slot) => {
      if (key !== -1) found.push([key, this.#values[slot] as T]);
    });
    return found.sort(([a], [b]) => a - b);
  }

  values(): T[] {
    return this.entries().map(([, value]) => value);
  }
}
