import { AppError } from '../../../kernel/errors.ts';
import { oneOf, shown } from '../../../kernel/nearest-names.ts';

const MOST_KEYS = 15;

/** A part of an answer, by a JSON pointer (`/data/0/name`) or a dotted path (`data.0.name`). */
export function picked(value: unknown, place: string): unknown {
  const steps = place.startsWith('/')
    ? place
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : place.split('.');
  let at = value;
  for (const [index, step] of steps.entries()) {
    if (typeof at === 'object' && at !== null && Object.hasOwn(at, step)) {
      at = (at as Record<string, unknown>)[step];
      continue;
    }
    const where = index === 0 ? 'The answer' : shown(steps.slice(0, index).join('.'));
    throw new AppError('not_found', `${where} has no ${shown(step)}. ${contentsOf(at)}`);
  }
  return at;
}

function contentsOf(value: unknown): string {
  if (Array.isArray(value)) return `It is a list of ${value.length}.`;
  if (typeof value !== 'object' || value === null) return 'It is a single value.';
  const keys = Object.keys(value);
  return keys.length === 0 ? 'It is empty.' : `It has ${oneOf(keys.slice(0, MOST_KEYS).map((key) => shown(key)))}.`;
}
