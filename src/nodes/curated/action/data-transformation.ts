import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.set';

export const dataTransformation: CuratedSpec = {
  type: 'ACTION',
  subtype: 'DATA_TRANSFORMATION',
  nodes: [NODE],
  names: true,
  description: "Sets, renames, computes and drops fields of each item: n8n's Edit Fields.",
  configurations: {
    assignments: {
      type: 'array',
      description:
        'Fields to set: { id, name, type: string|number|boolean|array|object, value }; a value may be an expression',
      required: true,
      default: [{ id: 'field-1', name: 'name', type: 'string', value: '={{ $json.name }}' }],
      at: 'Edit Fields: assignments.assignments',
    },
    mode: {
      type: 'string',
      description: 'manual: field by field; raw: JSON in jsonOutput',
      default: 'manual',
      options: ['manual', 'raw'],
      at: 'Edit Fields: mode',
    },
    keep_other_fields: {
      type: 'boolean',
      description: 'Whether to keep fields that are not listed here',
      default: true,
      at: 'Edit Fields: includeOtherFields',
    },
  },
  inputParams: {},
  outputParams: { name: { type: 'any', description: 'The fields you set' } },
  inputPorts: [itemsIn('Edit Fields')],
  outputPorts: [itemsOut('Edit Fields', 'Each item, changed')],
  tags: ['data', 'transform', 'set', 'edit', 'fields', 'map', 'rename'],
  examples: [
    {
      name: 'Full name',
      description: 'Joins two fields and drops the rest.',
      configurations: {
        assignments: [{ id: 'full', name: 'name', type: 'string', value: '={{ $json.first }} {{ $json.last }}' }],
        keep_other_fields: false,
      },
      input: { first: 'Ada', last: 'Lovelace', age: 36 },
      output: { name: 'Ada Lovelace' },
    },
  ],
  guidance:
    'For logic that does not fit into an expression, use ACTION.CODE. To combine many items into one, use ACTION.AGGREGATE or ACTION.SUMMARIZE; to split one item into many, ACTION.SPLIT_OUT. In n8n, an unset includeOtherFields drops all other fields.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Edit Fields',
        parameters: {
          mode: 'manual',
          assignments: {
            assignments: [{ id: 'field-1', name: 'name', type: 'string', value: '={{ $json.name }}' }],
          },
          includeOtherFields: true,
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
