import type { Json } from '../../../kernel/source.ts';

/** An input schema. If it is open, arguments that it does not name are passed on as they are. */
export function objectSchema(properties: Json, required: readonly string[], open: boolean): Json {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: open,
  };
}
