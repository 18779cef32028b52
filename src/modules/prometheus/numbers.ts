import { z } from 'zod';

/** A value as Prometheus sends it, as text: JSON has no NaN. */
export function numberIn(text: string): number {
  if (text === '+Inf' || text === 'Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

export const valueOutput = z.union([z.number(), z.enum(['NaN', '+Inf', '-Inf'])]);
export type Value = z.output<typeof valueOutput>;

/** A number as replies have it. */
export function shownNumber(value: number): Value {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

const DIGITS = 9;

/** The same, without digits that nobody reads in a plot. */
export const roundNumber = (value: number): Value => shownNumber(Number(value.toPrecision(DIGITS)));
