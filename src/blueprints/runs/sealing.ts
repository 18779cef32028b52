import type { Seal } from '../../kernel/seal.ts';
import type { UnitId } from './run.ts';

/** Encrypts values of runs. Each is bound to its place, so it cannot be moved to another. */
export function createSealing(seal: Seal) {
  return {
    seal: (value: unknown, about: string): string => seal.seal(JSON.stringify(value ?? null), about),
    open: (text: unknown, about: string): unknown =>
      typeof text === 'string' ? (JSON.parse(seal.open(text, about)) as unknown) : undefined,
  };
}

export const aboutRun = (run: string, what: string): string => `blueprint run ${run} ${what}`;

export const aboutUnit = ({ run, step, item, phase }: UnitId, what: string): string =>
  aboutRun(run, `${phase} ${step} ${item} ${what}`);
