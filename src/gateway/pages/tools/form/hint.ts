import { brief } from '../schema/json.ts';
import type { Shape } from '../schema/shape.ts';

/** What stands in an empty input: what is used if it stays empty, or an example. */
export function hintOf(shape: Shape): string {
  if (shape.default !== undefined) return `default: ${brief(shape.default)}`;
  return shape.examples.length > 0 ? `for example ${brief(shape.examples[0])}` : '';
}
