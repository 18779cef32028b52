import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'assignment-shape';
const field = { id: '1', name: 'total', type: 'number', value: 5 };
const set = (assignments: unknown, options: object = {}) => one('set', 3.4, { assignments, options });
const right = set({ assignments: [field] });
const place = (...names: (string | number)[]) => at('assignments', 'assignments', 0, ...names);

export const cases: Case[] = [
  valid('a number', right),
  valid('a number as a string, which n8n converts', set({ assignments: [{ ...field, value: '5' }] })),
  valid('a value from an expression', set({ assignments: [{ ...field, value: '={{ $json.total }}' }] })),
  valid(
    'a list and an object as a string',
    set({
      assignments: [
        { id: '1', name: 'a', type: 'array', value: '[1, 2]' },
        { id: '2', name: 'b', type: 'object', value: '{ "c": 1 }' },
      ],
    }),
  ),
  valid(
    'a value that cannot be converted, with errors ignored',
    set({ assignments: [{ ...field, value: 'many' }] }, { ignoreConversionErrors: true }),
  ),
  broken('a bare list', set([field]), [{ rule, path: at('assignments'), severity: 'error', fixed: right }]),
  broken('the format of an older version', set({ values: [field] }), [{ rule, path: at('assignments') }]),
  broken('a string', set({ assignments: ['total'] }), [{ rule, path: place() }]),
  broken('no name', set({ assignments: [{ ...field, name: '' }] }), [
    { rule, path: place('name'), severity: 'warning' },
  ]),
  broken('no type', set({ assignments: [{ id: '1', name: 'total', value: 5 }] }), [
    { rule, path: place(), severity: 'error', fixed: set({ assignments: [field] }) },
  ]),
  broken('a typo in the type', set({ assignments: [{ ...field, type: 'nummber' }] }), [
    { rule, path: place('type'), severity: 'error', fixed: right },
  ]),
  broken('an unknown type, for which n8n uses the value as it is', set({ assignments: [{ ...field, type: 'null' }] }), [
    { rule, path: place('type'), severity: 'info' },
  ]),
  broken('a string that is not a number', set({ assignments: [{ ...field, value: 'many' }] }), [
    { rule, path: place('value'), severity: 'error' },
  ]),
  broken(
    'a string that is neither true nor false',
    set({ assignments: [{ ...field, type: 'boolean', value: 'perhaps' }] }),
    [{ rule, path: place('value') }],
  ),
  broken('a string that is not an object', set({ assignments: [{ ...field, type: 'object', value: '{ a' }] }), [
    { rule, path: place('value') },
  ]),
];
