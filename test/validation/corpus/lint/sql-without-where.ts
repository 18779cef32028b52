import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'sql-without-where';
const only = { groups: ['lint' as const] };
const path = '/nodes/1/parameters/query';
const asking = (query: string, type = 'postgres', version = 2.5) =>
  flow(
    [node('Start', 'manualTrigger', 1), node('Ask', type, version, { operation: 'executeQuery', query })],
    ['Start -> Ask'],
  );

export const cases: Case[] = [
  valid('with a WHERE', asking('DELETE FROM logs WHERE day < $1'), {
    ...only,
    warnings: ['missing-credential'],
  }),
  valid('all rows on purpose', asking('UPDATE users SET seen = false WHERE true'), {
    ...only,
    warnings: ['missing-credential'],
  }),
  valid('a condition that an expression adds', asking('=DELETE FROM logs {{ $json.where }}'), {
    ...only,
    warnings: ['missing-credential', 'sql-from-expression'],
  }),
  valid('SQL words in a string', asking("INSERT INTO notes (text) VALUES ('DELETE FROM logs')"), {
    ...only,
    warnings: ['missing-credential'],
  }),
  valid('an upsert', asking('INSERT INTO a (b) VALUES (1) ON CONFLICT DO UPDATE SET b = 2'), {
    ...only,
    warnings: ['missing-credential'],
  }),
  broken('every row deleted', asking('DELETE FROM logs;'), [{ rule, path, severity: 'warning', says: 'DELETE' }], only),
  broken(
    'every row changed, in a second statement',
    asking('SELECT 1; -- all\nupdate "users" set seen = true', 'mySql', 2.4),
    [{ rule, path, says: 'UPDATE' }],
    only,
  ),
];
