import type { DisplayOptions, Group, NodeDescription, Property } from '../description.ts';
import { type About, aboutNode, isExpression, isRecord, isShown } from './display.ts';
import { allProperties, type Deciding, decidingProperties } from './deciding-properties.ts';

type Values = Readonly<Record<string, unknown>>;

/** A property that n8n shows for a configuration, and what it is set to. */
export interface ShownField {
  readonly property: Property;
  /** The names from the top: `['options', 'headers', '0', 'name']`. */
  readonly path: readonly string[];
  /** It is in the parameters, and not only there by its default. */
  readonly given: boolean;
  readonly value: unknown;
}

/** A node's parameters, read as n8n reads them: with their defaults, and with what is hidden left out. */
export interface Configuration {
  /** What decides about others at the top: the parameters, and defaults where they are absent. */
  readonly values: Values;
  /** Every parameter at the top that is shown, with its default where it is absent: `$parameter` in n8n. */
  parameters(): Values;
  /** Is what carries these conditions shown? For what stands at the top: properties, credentials, options. */
  shows(of: { readonly displayOptions?: DisplayOptions }): boolean;
  /** The properties at the top that are shown. Of several with one name that is mostly one. */
  properties(): readonly Property[];
  /** All that is shown, at every depth. Fields of a collection only if they have been added to it. */
  fields(): readonly ShownField[];
}

/** The visible properties at the top. */
export function visibleProperties(
  description: NodeDescription,
  parameters: Values,
  version: number,
): readonly Property[] {
  return configured(description, parameters, version).properties();
}

export function configured(description: NodeDescription, parameters: Values, version: number): Configuration {
  const about = aboutNode(description, version);
  const { properties: top, credentials } = description;
  const values = resolved(decidingProperties(top, credentials), parameters, undefined, about, false);
  const shows = (of: { readonly displayOptions?: DisplayOptions }) => isShown(of.displayOptions, values, values, about);
  let properties: readonly Property[] | undefined;
  let fields: readonly ShownField[] | undefined;
  let whole: Values | undefined;
  return {
    values,
    shows,
    parameters: () => (whole ??= resolved(allProperties(top), parameters, undefined, about, false)),
    properties: () => (properties ??= top.filter(shows)),
    fields() {
      if (fields) return fields;
      const found: ShownField[] = [];
      for (const property of top)
        if (shows(property)) walk(property, parameters, [], true, { root: values, about, found });
      return (fields = found);
    },
  };
}

/**
 * The values that display conditions look at, in n8n's order of doing it: first every absent one gets its default (of
 * several with one name the shown one counts), then what is hidden by these is taken away.
 */
function resolved(
  { simple, shared, all }: Deciding,
  given: Values,
  root: Values | undefined,
  about: About,
  inCollection: boolean,
): Values {
  const assumed: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const property of simple) {
    const { name, displayOptions } = property;
    const value = valueOf(property, given);
    if (value === undefined || (inCollection && !Object.hasOwn(given, name))) continue;
    if (shared.has(name) && !isShown(displayOptions, assumed, root ?? assumed, about)) continue;
    assumed[name] = value;
  }
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const property of all) {
    const { name, displayOptions, type } = property;
    if (inCollection && !Object.hasOwn(given, name)) continue;
    if (!isShown(displayOptions, assumed, root ?? assumed, about)) continue;
    const isNested = type === 'collection' || type === 'fixedCollection';
    const value = isNested ? withoutHidden(property, valueOf(property, given), root ?? assumed, about) : assumed[name];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** The value of a collection without the fields that are hidden in it. */
function withoutHidden(property: Property, value: unknown, root: Values, about: About): unknown {
  if (!isRecord(value)) return value;
  if (property.type === 'collection') {
    return resolved(allProperties((property.options ?? []) as readonly Property[]), value, root, about, true);
  }
  const groups: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const group of (property.options ?? []) as readonly Group[]) {
    if (!Object.hasOwn(value, group.name)) continue;
    const shown = (item: unknown) =>
      isRecord(item) ? resolved(allProperties(group.values), item, root, about, false) : item;
    const below = value[group.name];
    groups[group.name] = Array.isArray(below) ? below.map(shown) : shown(below);
  }
  return groups;
}

function valueOf(property: Property, given: Values): unknown {
  const { name, type, default: fallback, noDataExpression } = property;
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined) {
    return type === 'resourceLocator' && isRecord(fallback) ? { __rl: true, ...fallback } : fallback;
  }
  if (value === null && !['boolean', 'number', 'options', 'resourceLocator'].includes(type)) return fallback;
  // n8n takes it for a plain text there.
  if (noDataExpression === true && isExpression(value) && !fromAi.test(value)) return value.slice(1);
  return value;
}

/** A model fills it in: n8n keeps that an expression everywhere. */
const fromAi = /^=\s*(\{\{\s*)?(\/\*.*?\*\/\s*)?\$fromAI\s*\(/i;

interface Walk {
  readonly root: Values;
  readonly about: About;
  readonly found: ShownField[];
}

/** A property that is shown, and what is shown below it. */
function walk(property: Property, given: Values, above: readonly string[], isGiven: boolean, to: Walk): void {
  const path = [...above, property.name];
  const isSet = isGiven && Object.hasOwn(given, property.name) && given[property.name] !== undefined;
  const value = isSet ? given[property.name] : property.default;
  to.found.push({ property, path, given: isSet, value });
  if (property.type === 'collection') {
    const fields = (property.options ?? []) as readonly Property[];
    for (const [at, item] of itemsOf(value)) walkLevel(fields, item, [...path, ...at], isSet, true, to);
  } else if (property.type === 'fixedCollection' && isRecord(value)) {
    for (const group of (property.options ?? []) as readonly Group[]) {
      const below = Object.hasOwn(value, group.name) ? value[group.name] : undefined;
      for (const [at, item] of itemsOf(below)) {
        walkLevel(group.values, item, [...path, group.name, ...at], isSet, false, to);
      }
    }
  }
}

function walkLevel(
  properties: readonly Property[],
  given: Values,
  path: readonly string[],
  isGiven: boolean,
  inCollection: boolean,
  to: Walk,
): void {
  const values = resolved(decidingProperties(properties), given, to.root, to.about, inCollection);
  for (const property of properties) {
    if (inCollection && !Object.hasOwn(given, property.name)) continue;
    if (isShown(property.displayOptions, values, to.root, to.about)) walk(property, given, path, isGiven, to);
  }
}

/** One item, or a list of them. */
function itemsOf(value: unknown): [at: string[], item: Values][] {
  if (isRecord(value)) return [[[], value]];
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap((item, index) =>
    isRecord(item) ? [[[String(index)], item] as [string[], Values]] : [],
  );
}
