import type { Reference } from './interpolate.ts';
import type { AroundReference, NameRead, NamesRead, Schemes } from './scheme.ts';

/** What the references of a file stand for. Its values are secret. */
export interface References {
  find(reference: Reference): NameRead;
  /** Why values from before are used: they cannot be read now. One line each. */
  readonly kept: readonly string[];
  /** After which time to read them again; undefined if watching `paths` is enough. */
  readonly refreshMs: number | undefined;
  /** The files that values come from. */
  readonly paths: readonly string[];
  /** Reads the same references again. What cannot be read now stays as it is. */
  again(): Promise<References>;
  /** Whether a reference stands for something else in `other`. */
  differs(other: References): boolean;
  /** The value of a reference that was read with the same settings. */
  known(reference: Reference, from: string): string | undefined;
}

/**
 * Reads every reference once. Values that are `known` from an earlier time are used for those that cannot be read now, so
 * that another change of the file can be applied while a service is away.
 */
export async function readReferences(
  wanted: readonly Reference[],
  schemes: Schemes,
  around: AroundReference,
  known: readonly References[] = [],
): Promise<References> {
  const all = new Map(wanted.map((reference) => [keyOf(reference), reference]));
  const read = new Map<string, NamesRead>();
  await Promise.all(
    Object.entries(schemes).map(async ([scheme, { load }]) => {
      const names = [...all.values()].filter((one) => one.scheme === scheme).map(({ name }) => name);
      if (names.length > 0) read.set(scheme, await (await load())(names, around));
    }),
  );

  const values = new Map<string, NameRead>();
  const kept = new Set<string>();
  for (const [key, reference] of all) {
    const { from, values: found } = read.get(reference.scheme) as NamesRead;
    const now = found.get(reference.name) as NameRead;
    const before =
      'value' in now || now.absent
        ? undefined
        : known.map((one) => one.known(reference, from)).find((one) => one !== undefined);
    if (before !== undefined && 'message' in now) kept.add(`${now.message}. ${now.fix}`);
    values.set(key, before === undefined ? now : { value: before });
  }

  const valueOf = (reference: Reference): string | undefined => {
    const found = values.get(keyOf(reference));
    return found && 'value' in found ? found.value : undefined;
  };
  const references: References = {
    find: (reference) => values.get(keyOf(reference)) as NameRead,
    kept: [...kept],
    refreshMs: shortest([...read.values()].flatMap(({ refreshMs }) => refreshMs ?? [])),
    paths: [...read.values()].flatMap(({ paths }) => paths ?? []),
    again: () => readReferences(wanted, schemes, around, [references]),
    differs: (other) => [...all.values()].some((one) => valueOf(one) !== valueIn(other.find(one))),
    known: (reference, from) => (read.get(reference.scheme)?.from === from ? valueOf(reference) : undefined),
  };
  return references;
}

const shortest = (times: readonly number[]): number | undefined => (times.length > 0 ? Math.min(...times) : undefined);

const keyOf = ({ scheme, name }: Reference): string => `${scheme}:${name}`;

const valueIn = (found: NameRead): string | undefined => ('value' in found ? found.value : undefined);
