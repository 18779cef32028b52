import { createHash } from 'node:crypto';
import { normalized } from '../../../kernel/normalized.ts';

// Model vendors refuse tools with other property names.
const LEGAL = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A unique key for each name that every client accepts: the name itself if it is legal, else one derived from it. */
export function propertyKeys(names: readonly string[]): string[] {
  const taken = new Set(names.filter((name) => LEGAL.test(name)));
  const seen = new Set<string>();
  return names.map((name, index) => {
    if (LEGAL.test(name) && !seen.has(name)) {
      seen.add(name);
      return name;
    }
    const plain = normalized(name, 'NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-zA-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 50);
    const made = plain === '' ? `field_${index + 1}` : plain.toLowerCase();
    const hash = createHash('sha256').update(name).digest('hex');
    const key = [made, `${made}_${hash.slice(0, 6)}`, `${made}_${index + 1}_${hash.slice(0, 6)}`].find(
      (one) => !taken.has(one),
    ) as string;
    taken.add(key);
    return key;
  });
}
