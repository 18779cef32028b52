import type { Tone } from '../../console/client/ui/state.tsx';

const tones: ReadonlyMap<string, Tone> = new Map([
  ['done', 'good'],
  ['succeeded', 'good'],
  ['undone', 'off'],
  ['skipped', 'off'],
  ['cancelled', 'off'],
  ['pending', 'off'],
  ['running', 'info'],
  ['undoing', 'info'],
  ['retrying', 'warn'],
  ['waiting', 'warn'],
  ['unknown', 'warn'],
  ['failed', 'bad'],
]);

/** How the state of a run or of a step looks. */
export const toneOf = (state: string): Tone => tones.get(state) ?? 'info';

const origins: ReadonlyMap<string, string> = new Map([
  ['file', 'a file'],
  ['store', 'saved here'],
  ['vault', 'Vault'],
  ['shipped', 'comes with Sluice'],
]);

export const originWords = (origin: string): string => origins.get(origin) ?? origin;

const open: ReadonlySet<string> = new Set(['pending', 'running', 'waiting', 'undoing']);

/** Whether a run in this state still does something, now or later. */
export const isOpen = (state: string): boolean => open.has(state);

export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
