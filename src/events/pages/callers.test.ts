import { expect, it } from 'vitest';
import { callersIn } from './callers.ts';
import type { Event } from './event.ts';

const last = '2026-01-01T00:00:00.000Z';

const event = (event_type: string, data: Event['data']): Event => ({
  id: 1,
  timestamp: last,
  trace_id: 'a',
  event_type,
  status: 'success',
  data,
});

it('counts calls that ended, by caller and tool', () => {
  const call = (principal: unknown, tool: unknown, end = 'tool.call_completed') => event(end, { principal, tool });
  expect(
    callersIn([
      call('a', 't'),
      call('b', 't'),
      call('a', 't', 'tool.call_failed'),
      call('a', 't', 'tool.call_received'),
      call('__proto__', 'constructor'),
      call(5, 't'),
      call('a', null),
      event('gateway.tool_accepted', { principal: 'a', tool: 't' }),
    ]),
  ).toEqual([
    { principal: 'a', tool: 't', calls: 2, failed: 1, last },
    { principal: 'b', tool: 't', calls: 1, failed: 0, last },
    { principal: '__proto__', tool: 'constructor', calls: 1, failed: 0, last },
  ]);
});
