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
    { name: 'private', state: 'DEGRADED', since: at, tools: 0, login: 'https://example.com/in' },
    { name: 'gone', state: 'FAILED', since: at, tools: 0, lastError: { message: 'exited', at }, retryAt: at },
  ],
  replicas: [
    { id: '1', self: true, host: 'a', version: '1', seenSeconds: 0, state: 'ok', problems: [] },
    { id: '2', host: 'b', version: '2', seenSeconds: 3, state: 'ok', problems: [] },
  ],
};

it('begins with what fails, and leaves out servers that just run', () => {
  const lines = linesOf(status);
  expect(lines.map(({ name, tone }) => `${tone} ${name}`)).toEqual([
    'bad n8n default',
    'bad gone',
    'warn changed',
    'warn private',
    'good store',
    'good replica b',
    'off odd',
  ]);
  expect(lines[0]).toMatchObject({ says: 'refused', fix: 'Start it.', kind: 'n8n' });
  expect(lines[1]).toMatchObject({ says: 'exited', retryAt: at, server: 'gone' });
});

it('says nothing of an old error once it is over', () => {
  const odd = linesOf(status).find(({ name }) => name === 'odd');
  expect(odd?.says).toBeUndefined();
});
