import { expect, test } from 'vitest';
import { causeKey, type Failure, groupFailures } from './failure-groups.ts';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

const failure = (id: string, workflow: string, node: string, message: string, minute: number): Failure => ({
  id,
  workflow,
  name: `Name of ${workflow}`,
  at: at(minute),
  error: { node, message },
  crashed: false,
});

test('the same cause at the same node is one group, with its newest example', () => {
  const groups = groupFailures([
    failure('1', 'a', 'Get', 'No order 17 for "Ann"', 1),
    failure('3', 'a', 'Get', 'No order 204 for "Bob"', 3),
    failure('2', 'a', 'Get', 'No order 18 for "Cy"', 2),
    failure('4', 'a', 'Put', 'No order 17 for "Ann"', 4),
    failure('5', 'b', 'Get', 'No order 17 for "Ann"', 5),
  ]);
  expect(groups.map(({ workflow, node, count, example }) => [workflow, node, count, example])).toEqual([
    ['a', 'Get', 3, '3'],
    ['b', 'Get', 1, '5'],
    ['a', 'Put', 1, '4'],
  ]);
  expect(groups[0]).toMatchObject({ cause: 'No order 204 for "Bob"', first: at(1), last: at(3), name: 'Name of a' });
});

test('failures that were not read and crashes are separate groups', () => {
  const bare = { workflow: 'a', at: at(1), error: undefined };
  const groups = groupFailures([
    { ...bare, id: '1', crashed: true },
    { ...bare, id: '2', crashed: false },
  ]);
  expect(groups.map(({ cause }) => cause).sort()).toEqual([
    'n8n stopped while it ran',
    expect.stringContaining('unknown'),
  ]);
});

test.each([
  ['getaddrinfo ENOTFOUND https://a.example.com/x?y=1', 'getaddrinfo ENOTFOUND https://b.example.com/'],
  ['User 6ba7b810-9dad-11d1-80b4-00c04fd430c8 is gone', 'User 123e4567-e89b-12d3-a456-426614174000 is gone'],
  ['Timeout after 300ms', 'Timeout after 1200ms'],
  ["Cannot read 'a'", "Cannot read 'b'"],
])('%s and %s are one cause', (a, b) => {
  expect(causeKey({ message: a })).toBe(causeKey({ message: b }));
});

test('different words, or different answers of a service, are different causes', () => {
  expect(causeKey({ message: 'Not found' })).not.toBe(causeKey({ message: 'Forbidden' }));
  expect(causeKey({ message: 'Failed', http_status: '500' })).not.toBe(
    causeKey({ message: 'Failed', http_status: '429' }),
  );
});
