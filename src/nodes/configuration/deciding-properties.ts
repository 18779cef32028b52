import type { Property } from '../description.ts';

/** The properties of a level that display conditions refer to. */
export interface Deciding {
  /** Those with a plain value, each after the ones it depends on. */
  readonly simple: readonly Property[];
  /** Names that more than one property has. */
  readonly shared: ReadonlySet<string>;
  /** Including collections, in the original order. */
  readonly all: readonly Property[];
}

const known = new WeakMap<readonly Property[], Deciding>();

/** Computed once per list of properties. `others` have conditions on the same level too: credentials. */
export function decidingProperties(properties: readonly Property[], others: readonly unknown[] = []): Deciding {
  let deciding = known.get(properties);
  if (!deciding) {
    const asked = askedNames(others, askedNames(properties));
    known.set(properties, (deciding = settle(properties, ({ name }) => asked.has(name))));
  }
  return deciding;
}

const knownWhole = new WeakMap<readonly Property[], Deciding>();

/** The same for every property of the level. */
export function allProperties(properties: readonly Property[]): Deciding {
  let all = knownWhole.get(properties);
  if (!all) knownWhole.set(properties, (all = settle(properties, () => true)));
  return all;
}

function settle(properties: readonly Property[], counts: (property: Property) => boolean): Deciding {
  const byName = Map.groupBy(properties, ({ name }) => name);
  const all = properties.filter(counts);
  const needs = new Map([...byName].map(([name, same]) => [name, askedNames(same)]));

  const order: Property[] = [];
  const settled = new Set<string>();
  const place = (name: string, waiting: ReadonlySet<string>): void => {
    // Two that depend on each other keep their original order.
    if (settled.has(name) || waiting.has(name)) return;
    const below = new Set([...waiting, name]);
    for (const other of needs.get(name) ?? []) place(other, below);
    settled.add(name);
    order.push(...(byName.get(name) ?? []));
  };
  for (const { name } of all) place(name, new Set());
  return {
    simple: order.filter(({ type }) => type !== 'collection' && type !== 'fixedCollection'),
    shared: new Set([...byName].filter(([, same]) => same.length > 1).map(([name]) => name)),
    all,
  };
}

/** The top-level names that conditions in these properties, at any depth, refer to. */
function askedNames(properties: readonly unknown[], names = new Set<string>()): Set<string> {
  for (const one of properties) {
    if (typeof one !== 'object' || one === null) continue;
    const { displayOptions, disabledOptions, options, values } = one as Record<string, unknown>;
    for (const display of [displayOptions, disabledOptions]) {
      const { show, hide } = Object(display) as { show?: object; hide?: object };
      for (const key of [...Object.keys(show ?? {}), ...Object.keys(hide ?? {})]) {
        if (!key.startsWith('@')) names.add(key.replace(/^\//, '').split(/[.[]/)[0] ?? key);
      }
    }
    if (Array.isArray(options)) askedNames(options, names);
    if (Array.isArray(values)) askedNames(values, names);
  }
  return names;
}
