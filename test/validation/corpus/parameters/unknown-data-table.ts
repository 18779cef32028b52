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
  valid('one that is there, by id', reading('id', 't1'), { world }),
  valid('one that is there, from the list', reading('list', 't1'), { world }),
  valid('one that is there, by name', reading('name', 'Orders'), { world }),
  valid('one that an expression names', reading('id', '={{ $json.id }}'), { world }),
  valid('where nothing is known', reading('id', 't9')),
  valid('one that the workflow makes', made, { world, groups: ['parameters'] }),
  broken(
    'one that is gone, by id',
    reading('id', 't9'),
    [{ rule, path, severity: 'error', says: 'This n8n has "Orders"' }],
    {
      world,
    },
  ),
  broken('one that is gone, to be published', reading('list', 't9'), [{ rule, path, severity: 'error' }], {
    world,
    purpose: 'publish',
    groups: ['parameters'],
  }),
  broken('a slip in the name', reading('name', 'Order'), [{ rule, path, says: 'Did you mean "Orders"?' }], { world }),
  broken(
    'none at all, for a tool',
    changed(reading('id', 't9'), '/nodes/1/type', 'n8n-nodes-base.dataTableTool'),
    [{ rule, path, severity: 'error', says: 'no tables' }],
    { world: { dataTables: [] }, groups: ['parameters'], purpose: 'publish' },
  ),
];
