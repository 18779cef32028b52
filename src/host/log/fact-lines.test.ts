import { expect, test } from 'vitest';
import { authFacts } from '../../auth/facts.ts';
import { gatewayFacts } from '../../gateway/facts.ts';
import { callFacts } from '../../kernel/call-facts.ts';
import { kindOf } from '../../kernel/events.ts';
import type { Fact } from '../../kernel/facts.ts';
import { hostFacts } from '../facts.ts';

const facts = { ...hostFacts, ...callFacts, ...gatewayFacts, ...authFacts };

test.each<[Fact, string]>([
  [{ type: 'gateway.started', version: '1.0.0', url: 'http://x' }, 'Sluice 1.0.0 started at http://x'],
  [
    { type: 'gateway.backend_failed', backend: 'b', reason: 'It ended.', retryInMs: 1500 },
    'The server b failed: It ended. Retrying in 2 s.',
  ],
  [
    { type: 'gateway.backend_failed', backend: 'b', reason: 'The process exited with code 3', retryInMs: 0 },
    'The server b failed: The process exited with code 3. Retrying now.',
  ],
  [
    { type: 'tool.call_failed', tool: 'a__b', source: 'a', principal: 'local', ms: 3, reason: 'timeout' },
    'a__b failed after 3 ms: timeout',
  ],
  [{ type: 'tool.call_completed', tool: 'a__b', source: 'a', principal: 'local', ms: 3 }, 'a__b answered after 3 ms'],
  [
    { type: 'gateway.config_reloaded', added: ['a', 'b'], changed: [], removed: ['c'] },
    'Reloaded the configuration. Added: a, b. Removed: c.',
  ],
  [{ type: 'gateway.config_rejected', problems: ['p: wrong'] }, expect.stringContaining('p: wrong') as string],
  [{ type: 'auth.refused', address: '192.0.2.1', reason: 'unknown key', times: 1 }, 'Refused 192.0.2.1: unknown key'],
])('%o', (fact, message) => {
  expect(kindOf(facts, fact.type)?.line?.(fact)).toEqual(message);
});
