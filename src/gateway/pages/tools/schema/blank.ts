import { isObject, withEntry } from './json.ts';
import type { Schema, Shape, ShapeOf } from './shape.ts';

const DEEPEST = 5;

/**
 * What the arguments begin with: defaults and constants of what is required. What is optional stays out until somebody
 * touches it. Undefined if there is nothing to begin with.
 */
export function initial(shapeOf: ShapeOf, schema: Schema, depth = 0): unknown {
  const shape = shapeOf(schema);
  if (shape.default !== undefined) return shape.default;
  if (shape.kind === 'enum' && shape.values.length === 1) return shape.values[0];
  if (shape.kind !== 'object' || depth > DEEPEST) return undefined;
  return initialObject(shapeOf, shape, depth);
}

function initialObject(shapeOf: ShapeOf, shape: Shape & { kind: 'object' }, depth: number) {
  let value = {};
  for (const { name, schema, required } of shape.properties) {
    if (!required) continue;
    const inner = shapeOf(schema);
    // A required object whose own required values are unknown appears when it is filled in.
    const begun = initial(shapeOf, schema, depth + 1);
    const isHollow = inner.kind === 'object' && isObject(begun) && Object.keys(begun).length === 0;
    if (begun === undefined || (isHollow && inner.properties.some((one) => one.required))) continue;
    value = withEntry(value, name, begun);
  }
  return value;
}

/** What stands in a place that somebody has just added: valid if a short value can be. */
export function blank(shapeOf: ShapeOf, schema: Schema, depth = 0): unknown {
  const shape = shapeOf(schema);
  if (shape.default !== undefined) return shape.default;
  if (shape.kind === 'text') return '';
  if (shape.kind === 'number') return 0;
  if (shape.kind === 'boolean') return false;
  if (shape.kind === 'enum') return shape.values[0] ?? null;
  if (shape.kind === 'list') return [];
  if (shape.kind === 'object') return initialObject(shapeOf, shape, depth);
  const first = shape.kind === 'choice' ? shape.options[0] : undefined;
  return first && depth < DEEPEST ? blank(shapeOf, first.schema, depth + 1) : null;
}
