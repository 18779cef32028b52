import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'sql-from-expression';
const query = (text: string, type = 'postgres', version = 2.6, credential = 'postgres') =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node(
        'Query',
        type,
        version,
        { operation: 'executeQuery', query: text, options: {} },
        { credentials: { [credential]: { id: 'a', name: 'Mine' } } },
      ),
    ],
    ['Start -> Query'],
  );
const path = '/nodes/1/parameters/query';

export const cases: Case[] = [
  valid('a query as it is', query('SELECT * FROM orders WHERE id = $1')),
  valid('a query from elsewhere', query('{{ $json.query }}')),
  valid('the time', query("SELECT * FROM orders WHERE at > '{{ $now.minus(1, 'day').toISO() }}'")),
  valid('a number', query('SELECT * FROM orders LIMIT {{ Number($json.limit) }}')),
  broken('a value in quotes', query("SELECT * FROM orders WHERE name = '{{ $json.name }}'"), [
    { rule, path, severity: 'warning', says: 'Query Parameters' },
  ]),
  broken('a value of another node', query("=DELETE FROM orders WHERE id = {{ $('Start').item.json.id }}"), [
    { rule, path },
  ]),
  broken('MySQL', query("SELECT * FROM orders WHERE name = '{{ $json.name }}'", 'mySql', 2.4, 'mySql'), [
    { rule, path, says: '$1' },
  ]),
  broken(
    'Microsoft SQL',
    query("SELECT * FROM orders WHERE name = '{{ $json.name }}'", 'microsoftSql', 1.1, 'microsoftSql'),
    [{ rule, path }],
    { groups: ['credentials'] },
  ),
  broken('a query built in an expression', query('={{ "DELETE FROM orders WHERE id = " + $json.id }}'), [
    { rule, path },
  ]),
  broken('a query with the value inside', query("={{ `SELECT * FROM orders WHERE name = '${$json.name}'` }}"), [
    { rule, path },
  ]),
  valid('one of two queries', query("={{ $json.all ? 'SELECT * FROM a' : 'SELECT * FROM b' }}")),
];
