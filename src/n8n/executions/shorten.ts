import type { Item } from './run-data.ts';

/** Request headers whose values are secret. */
const SECRET_HEADER = /authori[sz]ation|cookie|token|secret|api[-_]?key|signature|password|^x-sluice-/i;
const HIDDEN = '[hidden]';

interface Limits {
  readonly text: number;
  readonly list: number;
  readonly keys: number;
  readonly depth: number;
}

// From generous to strict. The first that fits is used.
const limits: readonly Limits[] = [
  { text: Number.POSITIVE_INFINITY, list: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY, depth: 40 },
  { text: 2000, list: 50, keys: 100, depth: 8 },
  { text: 500, list: 20, keys: 60, depth: 6 },
  { text: 200, list: 5, keys: 40, depth: 5 },
  { text: 80, list: 3, keys: 20, depth: 4 },
  { text: 40, list: 1, keys: 10, depth: 3 },
];

export interface Shortened {
  readonly value: unknown;
  readonly cut: boolean;
}

/** Shortens a value to this many bytes. Each place where something was left out says so. */
export function shorten(value: unknown, bytes: number): Shortened {
  for (const limit of limits) {
    const left = { out: false };
    const short = reduced(value, limit, left, 0);
    if (size(short) <= bytes) return { value: short, cut: left.out };
  }
  return { value: `[${size(value).toLocaleString('en')} bytes of JSON]`, cut: true };
}

const size = (of: unknown): number => Buffer.byteLength(JSON.stringify(of) ?? '');

function reduced(value: unknown, limit: Limits, left: { out: boolean }, depth: number, key = ''): unknown {
  const isText = typeof value === 'string';
  if (!isText && (typeof value !== 'object' || value === null)) return value;
  const length = isText || Array.isArray(value) ? value.length : Object.keys(value).length;
  const most = isText ? limit.text : Array.isArray(value) ? limit.list : limit.keys;
  const deep = !isText && length > 0 && depth >= limit.depth;
  const over = length - most;
  left.out ||= deep || over > 0;
  if (isText) return over > 0 ? `${value.slice(0, most)}… (${over} more characters)` : value;
  if (deep) return Array.isArray(value) ? `[${length} items]` : '[object]';
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((item) => reduced(item, limit, left, depth + 1));
    return over > 0 ? [...kept, `… (${over} more)`] : kept;
  }
  const kept = Object.entries(value)
    .slice(0, most)
    .map(([name, inner]) => [
      name,
      key === 'headers' && SECRET_HEADER.test(name) ? HIDDEN : reduced(inner, limit, left, depth + 1, name),
    ]);
  return Object.fromEntries(over > 0 ? [...kept, ['…', `${over} more keys`]] : kept) as unknown;
}

export interface ShownItems {
  readonly items: unknown[];
  /** How many items there are in total. */
  readonly total: number;
  /** Something was left out. */
  readonly cut: boolean;
}

/** As many whole items as fit. Binary data is described, never shown. */
export function showItems(
  all: readonly Item[],
  bytes: number,
  { offset = 0, limit }: { offset?: number; limit?: number } = {},
): ShownItems {
  const chosen = all.slice(offset, limit === undefined ? undefined : offset + limit).map(plain);
  const items: unknown[] = [];
  let left = bytes;
  let cut = false;
  for (const item of chosen) {
    // Shorten the first item if needed, so that there is always something to see.
    const shown = shorten(item, items.length === 0 ? bytes : left);
    if (items.length > 0 && shown.cut) break;
    items.push(shown.value);
    cut ||= shown.cut;
    left -= size(shown.value) + 1;
    if (left <= 0) break;
  }
  return { items, total: all.length, cut: cut || offset + items.length < all.length };
}

/** Only the data of an item, unless it has files too. */
function plain({ json, binary }: Item): unknown {
  if (typeof binary !== 'object' || binary === null || Object.keys(binary).length === 0) return json ?? {};
  const files = Object.entries(binary).map(([name, file]) => {
    const { mimeType, fileName, fileSize } = (file ?? {}) as Record<string, unknown>;
    return [name, { mimeType, fileName, fileSize }];
  });
  return { json: json ?? {}, files: Object.fromEntries(files) as unknown };
}
