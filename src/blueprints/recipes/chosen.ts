import { AppError } from '../../kernel/errors.ts';
import type { RecentCall } from './recent.ts';

/** The calls somebody means: the last so many that succeeded, or those with these numbers, in the order they were made. */
export function chosenCalls(all: readonly RecentCall[], last: number | readonly number[]): readonly RecentCall[] {
  if (all.length === 0)
    throw new AppError(
      'not_found',
      'There are no calls to save: you made none in this conversation, or Sluice was restarted since. Calls are only kept in memory.',
    );
  if (typeof last === 'number') {
    const good = all.filter(({ failed }) => failed === undefined);
    if (good.length < last)
      throw new AppError(
        'invalid_input',
        `Only ${good.length} of your calls succeeded and are still known. recipe_recent shows them.`,
      );
    return good.slice(-last);
  }
  const wanted = new Set(last);
  const found = all.filter(({ number }) => wanted.has(number));
  const missing = [...wanted].find((number) => !found.some((one) => one.number === number));
  if (missing !== undefined)
    throw new AppError('not_found', `There is no call ${missing}. recipe_recent shows the numbers.`);
  return found;
}

/** Values for inputs: as they were given, or those of the first argument with this name. */
export function wantedInputs(
  given: Readonly<Record<string, unknown>> | readonly string[] | undefined,
  calls: readonly RecentCall[],
): ReadonlyMap<string, unknown> {
  if (given === undefined) return new Map();
  if (!isNames(given)) return new Map(Object.entries(given));
  return new Map(
    given.map((name) => {
      for (const { arguments: values } of calls) {
        const found = named(values, name);
        if (found) return [name, found.value];
      }
      throw new AppError(
        'invalid_input',
        `None of these calls has an argument "${name.slice(0, 60)}". Give the value instead: inputs: { "${name.slice(0, 60)}": "…" }.`,
      );
    }),
  );
}

const isNames = (given: Readonly<Record<string, unknown>> | readonly string[]): given is readonly string[] =>
  Array.isArray(given);

const DEEPEST = 40;

function named(value: unknown, name: string, depth = 0): { readonly value: unknown } | undefined {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined;
  if (!Array.isArray(value) && Object.hasOwn(value, name)) return { value: (value as Record<string, unknown>)[name] };
  for (const inner of Object.values(value)) {
    const found = named(inner, name, depth + 1);
    if (found) return found;
  }
  return undefined;
}
