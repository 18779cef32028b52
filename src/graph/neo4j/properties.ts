import type { Author, Properties, Provenance } from '../engine.ts';
import { plainValue } from './plain-value.ts';
import { periodOf } from './validity.ts';

/**
 * Properties that Neo4j can store are properties of the node, so that Cypher can use them. All others (objects, mixed
 * lists, null, names that Sluice uses itself) are in this one, as JSON.
 */
const OTHERS = 'properties_json';

const reserved: ReadonlySet<string> = new Set([
  OTHERS,
  'name',
  'folded_name',
  'type',
  'recorded_at',
  'recorded_by',
  'recorded_with',
  'recorded_in',
  'valid_from',
  'valid_to',
  'sequence',
  'search_words',
  'observations',
  'observation_ids',
  'observation_recorded_at',
  'observation_recorded_by',
  'observation_valid_from',
  'observation_valid_to',
  '_LOCK_',
]);

const worthShowing: ReadonlySet<string> = new Set([
  'name',
  'type',
  'recorded_at',
  'valid_from',
  'valid_to',
  'observations',
]);

/** Whether a property is there for Sluice only. */
export const isBookkeeping = (key: string): boolean => reserved.has(key) && !worthShowing.has(key);

/** Properties of a node or relationship, as Neo4j has them. */
export type Stored = Readonly<Record<string, unknown>>;

export function propertiesOf(stored: Stored): Properties {
  const { [OTHERS]: others } = stored;
  return Object.fromEntries([
    ...Object.entries(stored)
      .filter(([key]) => !reserved.has(key))
      .map(([key, value]) => [key, plainValue(value)]),
    ...(typeof others === 'string' ? Object.entries(JSON.parse(others) as object) : []),
  ]);
}

/** What to set so that the properties are these; null removes one. What stays the same is left as it is. */
export function propertyChanges(before: Properties, after: Properties): Record<string, unknown> {
  const [old, wanted] = [before, after].map(split) as [Split, Split];
  return Object.fromEntries([
    ...[...old.native.keys()].filter((key) => !wanted.native.has(key)).map((key) => [key, null]),
    ...[...wanted.native].filter(([key, value]) => JSON.stringify(old.native.get(key)) !== JSON.stringify(value)),
    ...(old.others === wanted.others ? [] : [[OTHERS, wanted.others ?? null]]),
  ]);
}

interface Split {
  readonly native: ReadonlyMap<string, unknown>;
  readonly others?: string;
}

function split(properties: Properties): Split {
  const { native = [], others } = Object.groupBy(Object.entries(properties), ([key, value]) =>
    !reserved.has(key) && isName(key) && isNative(value) ? 'native' : 'others',
  );
  return { native: new Map(native), ...(others && { others: JSON.stringify(Object.fromEntries(others)) }) };
}

const isName = (key: string): boolean => key !== '' && !key.includes('\0') && key.length < 1000;

const scalars: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

function isNative(value: unknown): boolean {
  if (!Array.isArray(value)) return scalars.has(typeof value);
  const [kind, ...others] = new Set(value.map((one) => typeof one));
  return kind === undefined || (others.length === 0 && scalars.has(kind));
}

/** Since when, from whom, and for which period, as properties. */
export const provenanceFields = ({ recordedAt, validFrom, validTo, by }: Provenance) => ({
  recorded_at: recordedAt,
  ...(validFrom !== undefined && { valid_from: validFrom }),
  ...(validTo !== undefined && { valid_to: validTo }),
  recorded_by: by.principal,
  ...(by.client !== undefined && { recorded_with: by.client }),
  ...(by.call !== undefined && { recorded_in: by.call }),
});

/** What others created with Cypher lacks some of it. */
export function provenanceOf(stored: Stored): Provenance {
  const { recorded_at: at, recorded_by: principal, recorded_with: client, recorded_in: call } = stored;
  return {
    recordedAt: typeof at === 'string' ? at : at ? String(plainValue(at)) : new Date(0).toISOString(),
    ...periodOf(stored.valid_from, stored.valid_to),
    by: {
      principal: typeof principal === 'string' ? principal : 'unknown',
      ...(typeof client === 'string' && { client }),
      ...(typeof call === 'string' && { call }),
    } satisfies Author,
  };
}
