import type { DisplayOptions, Group, NodeDescription, Property } from '../description.ts';
import { type About, aboutNode, isExpression, isRecord, isShown } from './display.ts';
import { allProperties, type Deciding, decidingProperties } from './deciding-properties.ts';

type Values = Readonly<Record<string, unknown>>;

/** A property that n8n shows for a configuration, and its value. */
export interface ShownField {
  readonly property: Property;
  /** From the top level: `['options', 'headers', '0', 'name']`. */
  readonly path: readonly string[];
  /** True if the parameters set it; false if the value is its default. */
  readonly given: boolean;
  readonly value: unknown;
}

/** A node's parameters as n8n reads them: with defaults, without hidden ones. */
export interface Configuration {
  /** Top-level values that display conditions refer to: the given ones, else defaults. */
  readonly values: Values;
  /** Every shown top-level parameter, given or by default: `$parameter` in n8n. */
  parameters(): Values;
  /** Whether something at the top level (a property, credential or option) is shown. */
  shows(of: { readonly displayOptions?: DisplayOptions }): boolean;
  /** The shown top-level properties. Of several with the same name, usually only one. */
  properties(): readonly Property[];
  /** Everything shown, at every depth. Fields of a collection only if they are set. */
  fields(): readonly ShownField[];
}

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
 * The values that display conditions read, computed in n8n's order: first fill in defaults (of several properties with the
 * same name the shown one counts), then remove what these values hide.
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

/** The value of a collection without its hidden fields. */
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
  // n8n treats it as plain text here.
  if (noDataExpression === true && isExpression(value) && !fromAi.test(value)) return value.slice(1);
  return value;
}

/** Filled in by a model. n8n keeps it as an expression everywhere. */
const fromAi = /^=\s*(\{\{\s*)?(\/\*.*?\*\/\s*)?\$fromAI\s*\(/i;

interface Walk {
  readonly root: Values;
  readonly about: About;
  readonly found: ShownField[];
}

/** Collects a shown property and everything shown below it. */
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

/** The value as a list of items with their path. */
function itemsOf(value: unknown): [at: string[], item: Values][] {
  if (isRecord(value)) return [[[], value]];
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap((item, index) =>
    isRecord(item) ? [[[String(index)], item] as [string[], Values]] : [],
  );
}
