import type { AsOf, Validity } from '../engine.ts';

/** Before every time, and after every time. */
export const OPEN_START = '';
export const OPEN_END = '~';

/** The condition that a node or relationship is valid at `$asOf`. */
export const validAt = (name: string, asOf: AsOf): string =>
  asOf === 'any'
    ? 'true'
    : `coalesce(${name}.valid_from, '${OPEN_START}') <= $asOf AND coalesce(${name}.valid_to, '${OPEN_END}') > $asOf`;

export const isValid = ({ validFrom = OPEN_START, validTo = OPEN_END }: Validity, asOf: AsOf): boolean =>
  asOf === 'any' || (validFrom <= asOf && validTo > asOf);

/** Whether two periods have a moment in common. */
export const overlap = (a: Validity, b: Validity): boolean =>
  (a.validFrom ?? OPEN_START) < (b.validTo ?? OPEN_END) && (b.validFrom ?? OPEN_START) < (a.validTo ?? OPEN_END);

export const periodOf = (from: unknown, to: unknown): Validity => ({
  ...(typeof from === 'string' && from !== OPEN_START && { validFrom: from }),
  ...(typeof to === 'string' && to !== OPEN_END && { validTo: to }),
});
