import type { Effect, Exposure } from './tool-types.ts';

export const effects: Readonly<Record<Effect, string>> = {
  read: 'Only reads',
  create: 'Adds something',
  update: 'Changes something',
  delete: 'Deletes something',
  execute: 'Runs something',
};

export const exposures: Readonly<Record<Exposure, string>> = {
  flat: 'flat',
  compact: 'compact',
  search: 'search',
};

/** Four bytes are about one token. */
export const tokens = (bytes: number): string => `≈ ${Math.round(bytes / 4).toLocaleString('en')}`;

/** What annotations of a tool mean; those without a meaning for people stay out. */
export function annotationWords(annotations: Readonly<Record<string, unknown>> = {}): string[] {
  const meanings = [
    ['readOnlyHint', true, 'changes nothing'],
    ['destructiveHint', true, 'may destroy something'],
    ['destructiveHint', false, 'destroys nothing'],
    ['idempotentHint', true, 'repeating it changes nothing more'],
    ['openWorldHint', true, 'reaches outside'],
    ['openWorldHint', false, 'stays within its own data'],
  ] as const;
  return meanings.filter(([name, value]) => annotations[name] === value).map(([, , words]) => words);
}
