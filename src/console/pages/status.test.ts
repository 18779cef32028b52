import { expect, it } from 'vitest';
import { linesOf, type Status } from './status.ts';

const at = '2026-11-15T09:00:00.000Z';
const status: Status = {
  version: '1',
  uptimeSeconds: 1,
  state: 'degraded',
  problems: [],
  tools: 3,
  notConfigured: [],
  parts: [
    { name: 'store', kind: 'store', state: 'ready', detail: 'SQLite' },
    { name: 'n8n default', kind: 'n8n', state: 'failing', lastError: { message: 'refused', at }, fix: 'Start it.' },
    { name: 'odd', kind: 'constructor', state: 'off', lastError: { message: 'old', at } },
  ],
  backends: [
    { name: 'runs', state: 'RUNNING', since: at, tools: 3 },
    { name: 'changed', state: 'RUNNING', since: at, tools: 3, held: ['a', 'b'] },
    { name: 'private', state: 'DEGRADED', since: at, tools: 0 },
    { name: 'gone', state: 'FAILED', since: at, tools: 0, lastError: { message: 'exited', at }, retryAt: at },
  ],
  replicas: [
    { id: '1', self: true, host: 'a', version: '1', seenSeconds: 0, state: 'ok', problems: [] },
    { id: '2', host: 'b', version: '2', seenSeconds: 3, state: 'ok', problems: [] },
  ],
};

it('begins with what fails, and leaves out servers that just run', () => {
  const lines = linesOf(status, new Set(['private']));
  expect(lines.map(({ name, tone }) => `${tone} ${name}`)).toEqual([
    'bad n8n default',
    'bad gone',
    'warn changed',
    'warn private',
    'good store',
    'good replica b',
    'off odd',
  ]);
  expect(lines[3]).toMatchObject({ state: 'needs a sign-in', fix: 'Open the server and sign in.' });
  expect(lines[0]).toMatchObject({ says: 'refused', fix: 'Start it.', kind: 'n8n' });
  expect(lines[1]).toMatchObject({ says: 'exited', retryAt: at, server: 'gone' });
});

it('shows a few of many servers that fail, and how many more there are', () => {
  const failing = Array.from({ length: 100 }, (_, index) => ({
    name: `server ${index}`,
    state: index === 99 ? ('STARTING' as const) : ('FAILED' as const),
    since: at,
    tools: 0,
  }));
  const lines = linesOf({ ...status, backends: failing });
  expect(lines.filter(({ server }) => server !== undefined)).toHaveLength(5);
  const more = lines.find(({ isMany }) => isMany);
  expect(more).toMatchObject({ name: '95 more servers', tone: 'bad', says: '94 failed, 1 starting' });
  expect(lines.at(-1)?.name).toBe('odd');
});

it('says nothing of an old error once it is over', () => {
  const odd = linesOf(status).find(({ name }) => name === 'odd');
  expect(odd?.says).toBeUndefined();
});
