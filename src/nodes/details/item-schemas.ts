import type { NodeSpec, SchemaField } from './node-spec.ts';

type Schema = Record<string, SchemaField>;

/** n8n does not describe the fields of items, so the schemas only say whether items go in and come out. */
export function itemSchemas({
  input_ports = [],
  output_ports = [],
}: Partial<NodeSpec>): [input: Schema, output: Schema] {
  const takes = input_ports.some(({ type }) => type === 'main');
  const gives = output_ports.some(({ type }) => type === 'main');
  return [
    takes
      ? {
          json: { type: 'object', description: 'One input item; expressions read its fields as $json', required: true },
        }
      : {},
    gives ? { json: { type: 'object', description: 'The fields of one output item' } } : {},
  ];
}
