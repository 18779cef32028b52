import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'resource-mapper-shape';
const column = (id: string, more: object = {}) => ({
  id,
  displayName: id,
  type: 'string',
  required: false,
  display: true,
  ...more,
});
const append = (columns: unknown) =>
  one('googleSheets', 4.5, {
    operation: 'append',
    documentId: { __rl: true, mode: 'id', value: '1A2b3C4d5E6f7G8h9I0j' },
    sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
    columns,
  });

export const cases: Case[] = [
  valid(
    'columns set by hand',
    append({ mappingMode: 'defineBelow', value: { a: '={{ $json.a }}' }, schema: [column('a')] }),
    { ...alone, warnings: ['missing-credential'] },
  ),
  valid('columns from the data', append({ mappingMode: 'autoMapInputData', value: {}, schema: [] }), {
    ...alone,
    warnings: ['missing-credential'],
  }),
  broken(
    'a mode that does not exist',
    append({ mappingMode: 'manual', value: { a: 'x' }, schema: [] }),
    [{ rule, path: at('columns', 'mappingMode'), severity: 'error', says: 'defineBelow' }],
    alone,
  ),
  broken(
    'values in a list',
    append({ mappingMode: 'defineBelow', value: ['x'], schema: [] }),
    [{ rule, path: at('columns', 'value') }],
    alone,
  ),
  broken('a string', append('a,b'), [{ rule, path: at('columns') }], alone),
  broken(
    'a required column without a value',
    append({ mappingMode: 'defineBelow', value: {}, schema: [column('a', { required: true })] }),
    [{ rule, path: at('columns', 'value', 'a'), says: 'required' }],
    alone,
  ),
  broken(
    'a string for a number',
    append({ mappingMode: 'defineBelow', value: { a: 'many' }, schema: [column('a', { type: 'number' })] }),
    [{ rule, path: at('columns', 'value', 'a'), says: 'number' }],
    alone,
  ),
];
