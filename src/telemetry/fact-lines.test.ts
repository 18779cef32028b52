import { expect, test } from 'vitest';
import type { Fact } from '../kernel/events.ts';
import { lineFor } from './fact-lines.ts';

test.each<[Fact, string, string]>([
  [{ type: 'gateway.started', version: '1.0.0', url: 'http://x' }, 'info', 'Sluice 1.0.0 started at http://x'],
  [
    { type: 'gateway.backend_failed', backend: 'b', reason: 'It ended.', retryInMs: 1500 },
    'warn',
    'The server b failed: It ended. It is tried again in 2 s.',
  ],
  [
    { type: 'gateway.backend_failed', backend: 'b', reason: 'The process exited with code 3', retryInMs: 0 },
    'warn',
    'The server b failed: The process exited with code 3. It is tried again now.',
  ],
  [
    { type: 'tool.call_failed', tool: 'a__b', source: 'a', principal: 'local', ms: 3, reason: 'timeout' },
    'warn',
    'a__b failed after 3 ms: timeout',
  ],
  [
    { type: 'tool.call_completed', tool: 'a__b', source: 'a', principal: 'local', ms: 3 },
    'debug',
    'a__b answered after 3 ms',
  ],
  [
    { type: 'gateway.config_reloaded', added: ['a', 'b'], changed: [], removed: ['c'] },
    'info',
    'The configuration was reloaded. Added: a, b. Removed: c.',
  ],
  [{ type: 'gateway.config_rejected', problems: ['p: wrong'] }, 'error', expect.stringContaining('p: wrong') as string],
  [
    { type: 'auth.refused', address: '192.0.2.1', reason: 'unknown key', times: 1 },
    'warn',
    '192.0.2.1 was refused: unknown key',
  ],
])('%o', (fact, level, message) => {
  expect(lineFor(fact, false)).toEqual({ level, message });
});

test('a fact without words of its own is written as its type', () => {
  const fact = { type: 'some.thing_new' } as unknown as Fact;
  expect(lineFor(fact, false)).toEqual({ level: 'info', message: 'some.thing_new' });
  expect(lineFor(fact, true)).toEqual({ level: 'warn', message: 'some.thing_new' });
});
