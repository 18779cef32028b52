import { expect, test } from 'vitest';
import { wantedBy } from './wanted.ts';

const origin = { id: 'i', trace: 'abcd' };
const event = (event_type: string, data: object = {}, trace_id = 't') => ({
  id: 1,
  at: 0,
  trace_id,
  event_type,
  status: 'success',
  data: JSON.stringify(data),
});

test('filters by type', () => {
  const isWanted = wantedBy({ filter: ['tool.*', 'gateway.backend_failed'], exceptPrincipals: [] }, origin);
  const types = ['tool.call_failed', 'gateway.backend_failed', 'gateway.started', 'tools'];
  expect(types.filter((type) => isWanted(event(type)))).toEqual(['tool.call_failed', 'gateway.backend_failed']);
});

test('never wants what would loop: events about webhooks, and of calls that a delivery caused', () => {
  const isWanted = wantedBy({ filter: ['*'], exceptPrincipals: [] }, origin);
  expect(isWanted(event('webhook.failing'))).toBe(false);
  expect(isWanted(event('tool.call_received', {}, 'abcd0123'))).toBe(false);
  expect(isWanted(event('tool.call_received', {}, '0123abcd'))).toBe(true);
});

test('does not want the calls of excepted principals', () => {
  const isWanted = wantedBy({ filter: ['*'], exceptPrincipals: ['key:n8n*'] }, origin);
  expect(isWanted(event('tool.call_received', { principal: 'key:n8n-1' }))).toBe(false);
  expect(isWanted(event('tool.call_received', { principal: 'key:ana' }))).toBe(true);
  expect(isWanted(event('gateway.started'))).toBe(true);
});

test('@watched means events of any type from watched files', () => {
  const isWanted = wantedBy({ filter: ['@watched', 'gateway.*'], exceptPrincipals: ['key:n8n'] }, origin);
  expect(isWanted(event('content.generated', { watched: 'events.jsonl' }))).toBe(true);
  expect(isWanted(event('gateway.started'))).toBe(true);
  expect(isWanted(event('tool.call_completed', { principal: 'key:ana' }))).toBe(false);
  expect(isWanted(event('content.generated', { watched: 'events.jsonl', principal: 'key:n8n' }))).toBe(false);
  const allTypes = wantedBy({ filter: ['@watched'], exceptPrincipals: [] }, origin);
  expect(allTypes(event('tool.call_completed'))).toBe(false);
  expect(allTypes(event('tool.call_completed', { watched: 'events.jsonl' }))).toBe(true);
});
