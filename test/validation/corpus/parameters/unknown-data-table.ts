import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const rule = 'unknown-data-table';
const path = '/nodes/1/parameters/dataTableId';
const reading = (mode: string, value: string) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Rows', 'dataTable', 1, {
        operation: 'get',
        dataTableId: { __rl: true, mode, value },
        returnAll: true,
      }),
    ],
    ['Start -> Rows'],
  );
const make = node('Make', 'dataTable', 1, {
  resource: 'table',
  operation: 'create',
  tableName: 'Order',
  columns: { column: [{ name: 'a', type: 'string' }] },
  options: {},
});
const made = flow([...reading('name', 'Order').nodes, make], ['Start -> Make', 'Make -> Rows']);
const world = { dataTables: [{ id: 't1', name: 'Orders' }] };

export const cases: Case[] = [
  valid('an existing table, by id', reading('id', 't1'), { world }),
  valid('an existing table, from the list', reading('list', 't1'), { world }),
  valid('an existing table, by name', reading('name', 'Orders'), { world }),
  valid('a table from an expression', reading('id', '={{ $json.id }}'), { world }),
  valid('if the instance is unknown', reading('id', 't9')),
  valid('a table that the workflow creates', made, { world, groups: ['parameters'] }),
  broken(
    'a missing table, by id',
    reading('id', 't9'),
    [{ rule, path, severity: 'error', says: 'This n8n has "Orders"' }],
    {
      world,
    },
  ),
  broken('a missing one, to be published', reading('list', 't9'), [{ rule, path, severity: 'error' }], {
    world,
    purpose: 'publish',
    groups: ['parameters'],
  }),
  broken('a typo in the name', reading('name', 'Order'), [{ rule, path, says: 'Did you mean "Orders"?' }], { world }),
  broken(
    'no tables, for a tool',
    changed(reading('id', 't9'), '/nodes/1/type', 'n8n-nodes-base.dataTableTool'),
    [{ rule, path, severity: 'error', says: 'no tables' }],
    { world: { dataTables: [] }, groups: ['parameters'], purpose: 'publish' },
  ),
];
