import type { NodeSpec, SchemaField } from './node-spec.ts';

type Schema = Record<string, SchemaField>;

/** n8n says of no node what its items hold: only that there are items, or what it is attached to. */
export function itemSchemas({
  input_ports = [],
  output_ports = [],
}: Partial<NodeSpec>): [input: Schema, output: Schema] {
  const takes = input_ports.some(({ type }) => type === 'main');
  const gives = output_ports.some(({ type }) => type === 'main');
  return [
    takes
      ? { json: { type: 'object', description: 'An item; its fields are $json in expressions', required: true } }
      : {},
    gives ? { json: { type: 'object', description: 'The fields of one item that comes out' } } : {},
  ];
}
