import { createHash } from 'node:crypto';

export { fold, nearestNames, shown } from '../kernel/nearest-names.ts';

const MAX = 45;
const HASH = 6;

const legal = (name: string): boolean => name.length <= MAX && /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/.test(name);

const safe = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');

/** What precedes a tool's name stays whole, so that `<server>__*` means all tools of the server. */
function hashed(prefix: string, tool: string, original: string): string {
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH);
  const head = safe(prefix) === '' ? '' : `${safe(prefix)}__`;
  if (head.length + HASH > MAX) return `${cut(safe(prefix), MAX - HASH - 1)}-${hash}`;
  const kept = cut(safe(tool), Math.max(0, MAX - HASH - 1 - head.length));
  return kept === '' ? `${head === '' ? 't-' : head}${hash}` : `${head}${kept}-${hash}`;
}

const cut = (name: string, length: number): string => name.slice(0, length).replace(/[_-]+$/, '');

/** The name under which clients see a tool: legal everywhere, and the same after every restart. */
export function exposedName(prefix: string, original: string): string {
  const full = prefix === '' ? original : `${prefix}__${original}`;
  return legal(full) ? full : hashed(prefix, original, full);
}

/** A name for the second of two tools that would be one to some clients. */
export function distinctName(prefix: string, original: string, source: string): string {
  return hashed(prefix === '' ? source : prefix, original, `${source}\0${original}`);
}
