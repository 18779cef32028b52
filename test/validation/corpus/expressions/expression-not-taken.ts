import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'expression-not-taken';
const slack = (parameters: Record<string, unknown>) =>
  flow([node('Start', 'manualTrigger', 1), node('Slack', 'slack', 2.3, parameters)], ['Start -> Slack']);
const alone = { groups: ['expressions' as const] };

export const cases: Case[] = [
  broken(
    'an operation from the data',
    slack({ resource: 'message', operation: '={{ $json.operation }}' }),
    [{ rule, path: '/nodes/1/parameters/operation', severity: 'error', says: 'Operation' }],
    alone,
  ),
  broken(
    'a resource from the data',
    slack({ resource: '={{ $json.resource }}', operation: 'post' }),
    [{ rule, path: '/nodes/1/parameters/resource' }],
    alone,
  ),
  valid(
    'columns of a sheet, each with its own',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Sheet', 'googleSheets', 4.5, {
          operation: 'append',
          documentId: { __rl: true, value: 'abc', mode: 'id' },
          sheetName: { __rl: true, value: 'gid=0', mode: 'list' },
          columns: {
            mappingMode: 'defineBelow',
            value: { name: '={{ $json.name }}' },
            matchingColumns: [],
            schema: [],
          },
          options: {},
        }),
      ],
      ['Start -> Sheet'],
    ),
    { ...alone, warnings: ['missing-credential'] },
  ),
  valid(
    'a query, in which n8n fills in expressions itself',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Query', 'postgres', 2.6, {
          operation: 'executeQuery',
          query: '=SELECT {{ $now.toMillis() }}',
          options: {},
        }),
      ],
      ['Start -> Query'],
    ),
    { ...alone, warnings: ['missing-credential'] },
  ),
];
