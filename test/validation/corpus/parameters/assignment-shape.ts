import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'assignment-shape';
const field = { id: '1', name: 'total', type: 'number', value: 5 };
const set = (assignments: unknown, options: object = {}) => one('set', 3.4, { assignments, options });
const right = set({ assignments: [field] });
const place = (...names: (string | number)[]) => at('assignments', 'assignments', 0, ...names);

export const cases: Case[] = [
  valid('a number', right),
  valid('a number as text, which n8n converts', set({ assignments: [{ ...field, value: '5' }] })),
  valid('a value that an expression gives', set({ assignments: [{ ...field, value: '={{ $json.total }}' }] })),
  valid(
    'a list and an object as text',
    set({
      assignments: [
        { id: '1', name: 'a', type: 'array', value: '[1, 2]' },
        { id: '2', name: 'b', type: 'object', value: '{ "c": 1 }' },
      ],
    }),
  ),
  valid(
    'what cannot be converted, where that is to be ignored',
    set({ assignments: [{ ...field, value: 'many' }] }, { ignoreConversionErrors: true }),
  ),
  broken('a bare list', set([field]), [{ rule, path: at('assignments'), severity: 'error', fixed: right }]),
  broken('the form of an older version', set({ values: [field] }), [{ rule, path: at('assignments') }]),
  broken('a text', set({ assignments: ['total'] }), [{ rule, path: place() }]),
  broken('no name', set({ assignments: [{ ...field, name: '' }] }), [
    { rule, path: place('name'), severity: 'warning' },
  ]),
  broken('no type', set({ assignments: [{ id: '1', name: 'total', value: 5 }] }), [
    { rule, path: place(), severity: 'error', fixed: set({ assignments: [field] }) },
  ]),
  broken('a slip in the type', set({ assignments: [{ ...field, type: 'nummber' }] }), [
    { rule, path: place('type'), severity: 'error', fixed: right },
  ]),
  broken(
    'a type that n8n does not have: it takes the value as it is',
    set({ assignments: [{ ...field, type: 'null' }] }),
    [{ rule, path: place('type'), severity: 'info' }],
  ),
  broken('a text that is no number', set({ assignments: [{ ...field, value: 'many' }] }), [
    { rule, path: place('value'), severity: 'error' },
  ]),
  broken(
    'a text that is neither true nor false',
    set({ assignments: [{ ...field, type: 'boolean', value: 'perhaps' }] }),
    [{ rule, path: place('value') }],
  ),
  broken('a text that is no object', set({ assignments: [{ ...field, type: 'object', value: '{ a' }] }), [
    { rule, path: place('value') },
  ]),
];
