import { type CelInput, type CelMap, type CelValue, celList, celMap } from '@bufbuild/cel';
import { own } from '../../kernel/own.ts';

/** Told when an expression reads a key that an object does not have, with the keys that it has. */
export type Missed = (key: string, names: () => readonly string[]) => void;

const originals = new WeakMap<object, unknown>();

/** The JSON that a list or an object of CEL was made from. */
export const originalOf = (value: object): unknown => originals.get(value);

/**
 * A JSON value as CEL sees it. JSON does not tell whole numbers from others, CEL does: `inputs.n + 1` adds ints. Members of
 * objects are converted when they are read: an expression reads little of a large result.
 */
export function celValue(value: unknown, missed: Missed): CelValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return celObject(value, missed);
  const list = celList(value.map((one) => celValue(one, missed)));
  originals.set(list, value);
  return list;
}

/** `names` are named when a key is missing. */
export function celObject(value: object, missed: Missed, names = (): readonly string[] => Object.keys(value)): CelMap {
  const members = new Members(value as Readonly<Record<string, unknown>>, missed, names);
  // The library's own `has` says that a key whose value is null is absent.
  const map = Object.assign(celMap(members), { has: (key: unknown) => members.has(key) });
  originals.set(map, value);
  return map;
}

class Members implements ReadonlyMap<string, CelInput> {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #missed: Missed;
  readonly #names: () => readonly string[];
  #converted: Map<string, CelInput> | undefined;

  constructor(value: Readonly<Record<string, unknown>>, missed: Missed, names: () => readonly string[]) {
    this.#value = value;
    this.#missed = missed;
    this.#names = names;
  }

  get size(): number {
    return Object.keys(this.#value).length;
  }

  has(key: unknown): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#value, key);
  }

  get(key: unknown): CelInput | undefined {
    if (typeof key !== 'string') return undefined;
    if (!this.has(key)) {
      this.#missed(key, this.#names);
      return undefined;
    }
    this.#converted ??= new Map();
    const known = this.#converted.get(key);
    if (known !== undefined) return known;
    const converted = celValue(own(this.#value, key), this.#missed);
    this.#converted.set(key, converted);
    return converted;
  }

  keys(): MapIterator<string> {
    return Object.keys(this.#value).values();
  }

  *entries(): MapIterator<[string, CelInput]> {
    for (const key of this.keys()) yield [key, this.get(key) as CelInput];
  }

  *values(): MapIterator<CelInput> {
    for (const key of this.keys()) yield this.get(key) as CelInput;
  }

  [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }

  forEach(callback: (value: CelInput, key: string, map: ReadonlyMap<string, CelInput>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }
}
