import { shortened } from '../shown.ts';

const MOST = 20;

/** Custom metadata for a reply: as much as has room beside the rest. */
export function shownMetadata(given: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(given);
  const some = all.slice(0, MOST).map(([name, value]) => [shortened(name, 40), shortened(value, 60)]);
  return Object.fromEntries(all.length > MOST ? [...some, ['…', `${all.length - MOST} more`]] : some);
}
