import { blank } from './blank.ts';
import { isObject, isSame, own, withEntry } from './json.ts';
import type { Schema, ShapeOf } from './shape.ts';

const DEEPEST = 4;
const MOST_ITEMS = 20;

/**
 * How well a value fits a schema, to tell the options of a choice apart: 0 if not at all. It looks at types, constants and
 * names only, and not for long.
 */
export function fit(shapeOf: ShapeOf, schema: Schema, value: unknown, depth = 0): number {
  if (depth > DEEPEST) return 1;
  const shape = shapeOf(schema);
  if (value === null && shape.nullable) return 1;
  switch (shape.kind) {
    case 'never':
      return 0;
    case 'json':
      return 0.5;
    case 'null':
      return value === null ? 1 : 0;
    case 'text':
      return typeof value === 'string' ? 1 : 0;
    case 'boolean':
      return typeof value === 'boolean' ? 1 : 0;
    case 'number':
      return typeof value === 'number' && (!shape.integer || Number.isInteger(value)) ? (shape.integer ? 1.1 : 1) : 0;
    case 'enum':
      return shape.values.some((one) => isSame(one, value)) ? 2 : 0;
    case 'choice':
      return Math.max(
        0,
        ...shape.options.slice(0, MOST_ITEMS).map((one) => fit(shapeOf, one.schema, value, depth + 1)),
      );
    case 'list': {
      if (!Array.isArray(value)) return 0;
      const inner = value
        .slice(0, MOST_ITEMS)
        .map((item, at) => fit(shapeOf, at < shape.first.length ? shape.first[at] : shape.items, item, depth + 1));
      return inner.includes(0) ? 0 : 1;
    }
    case 'object': {
      if (!isObject(value)) return 0;
      let score = 1;
      for (const { name, schema: inner, required } of shape.properties) {
        if (!Object.hasOwn(value, name)) {
          if (required) score -= 0.1;
          continue;
        }
        const inside = fit(shapeOf, inner, own(value, name), depth + 1);
        // A constant that differs rules the option out; anything else may be half typed.
        if (inside === 0 && shapeOf(inner).kind === 'enum') return 0;
        score += inside === 0 ? -0.2 : 0.3;
      }
      return Math.max(score, 0.01);
    }
  }
}

/** What a form of a choice begins with: what was typed into another form stays where both have a place for it. */
export function carried(shapeOf: ShapeOf, schema: Schema, value: unknown): unknown {
  const shape = shapeOf(schema);
  let next = blank(shapeOf, schema);
  if (shape.kind !== 'object' || !isObject(value)) return next;
  for (const { name, schema: inner } of shape.properties)
    if (isObject(next) && Object.hasOwn(value, name) && fit(shapeOf, inner, own(value, name)) > 0)
      next = withEntry(next, name, own(value, name));
  return next;
}

/** The option that a value is of; undefined if none. */
export function chosenOption(shapeOf: ShapeOf, options: readonly { readonly schema: Schema }[], value: unknown) {
  if (value === undefined) return undefined;
  let best: number | undefined;
  let most = 0;
  for (const [at, { schema }] of options.entries()) {
    const score = fit(shapeOf, schema, value);
    if (score > most) [best, most] = [at, score];
  }
  return best;
}
