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
        'The fields to set: { id, name, type: string|number|boolean|array|object, value }; a value may be an expression',
      required: true,
      default: [{ id: 'field-1', name: 'name', type: 'string', value: '={{ $json.name }}' }],
      at: 'Edit Fields: assignments.assignments',
    },
    mode: {
      type: 'string',
      description: 'manual: field by field; raw: one JSON text in jsonOutput',
      default: 'manual',
      options: ['manual', 'raw'],
      at: 'Edit Fields: mode',
    },
    keep_other_fields: {
      type: 'boolean',
      description: 'Whether the fields that are not named here stay',
      default: true,
      at: 'Edit Fields: includeOtherFields',
    },
  },
  inputParams: {},
  outputParams: { name: { type: 'any', description: 'The fields as they were set' } },
  inputPorts: [itemsIn('Edit Fields')],
  outputPorts: [itemsOut('Edit Fields', 'Each item, changed')],
  tags: ['data', 'transform', 'set', 'edit', 'fields', 'map', 'rename'],
  examples: [
    {
      name: 'Full name',
      description: 'Puts two fields together and drops the rest.',
      configurations: {
        assignments: [{ id: 'full', name: 'name', type: 'string', value: '={{ $json.first }} {{ $json.last }}' }],
        keep_other_fields: false,
      },
      input: { first: 'Ada', last: 'Lovelace', age: 36 },
      output: { name: 'Ada Lovelace' },
    },
  ],
  guidance:
    'For what expressions cannot do in one line take ACTION.CODE; to make one item of many ACTION.AGGREGATE or ACTION.SUMMARIZE, many of one ACTION.SPLIT_OUT. In n8n an unset includeOtherFields drops everything else.',
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
