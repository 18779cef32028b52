import { describe, expect, it } from 'vitest';
import type { AnyPart } from '../../host/part.ts';
import { hostFacts } from '../../host/facts.ts';
import { parts } from '../../parts.ts';
import type { Event } from './event.ts';
import { given, knownTypes, plain, sentenceOf } from './sentence.ts';

const event = (event_type: string, data: Event['data'] = {}): Event => ({
  id: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  trace_id: 'a',
  event_type,
  status: 'success',
  data,
});
const says = (type: string, data: Event['data'] = {}) => plain(sentenceOf(event(type, data)));

describe('an event in words', () => {
  it.each([
    ['tool.call_received', { tool: 'a__b', source: 'a', principal: 'local' }, 'local called a__b'],
    [
      'tool.call_completed',
      { tool: 'run_x', principal: 'key:1', ms: 3, execution: '77' },
      'key:1 called run_x: answered (n8n execution 77)',
    ],
    ['tool.call_failed', { tool: 'a__b', principal: 'local', reason: 'timeout' }, 'local called a__b: failed: timeout'],
    [
      'tool.call_failed',
      { tool: '(unknown)', principal: 'local', reason: 'not_found', asked: 'a__c' },
      'local asked for a__c that does not exist',
    ],
    [
      'tool.call_failed',
      { tool: '(unknown)', principal: 'local', reason: 'forbidden' },
      'local asked for a tool that it may not use',
    ],
    ['tool.call_unconfirmed', { tool: 'a__b', principal: 'local' }, 'local has to confirm the call of a__b'],
    ['tool.call_failed', { tool: 'a__b', principal: 'local', reason: 'cancelled' }, 'local cancelled the call of a__b'],
    ['auth.refused', { address: '::1', reason: 'no key', times: 3 }, 'Refused ::1, 3 times: no key'],
    ['gateway.config_reloaded', { added: ['a', 'b'] }, 'The configuration was read again. Added: a, b.'],
    ['content.generated', { id: 7, watched: 'events.jsonl' }, 'content.generated from events.jsonl: id 7'],
    ['tool.call_completed', { watched: 'x.jsonl', tool: 't' }, 'tool.call_completed from x.jsonl: tool t'],
  ])('%s', (type, data, words) => {
    expect(says(type, data)).toBe(words);
  });

  it('has a sentence for everything that Sluice records', () => {
    const types = Object.values<AnyPart>(parts).flatMap(({ facts = {} }) => Object.keys(facts as object));
    const missing = [...types, ...Object.keys(hostFacts)].filter((type) => !knownTypes().includes(type));
    expect(missing).toEqual([]);
  });

  it('survives fields that are missing or of any type', () => {
    for (const type of [...knownTypes(), 'constructor', '__proto__', ''])
      for (const value of [undefined, null, 5, true, {}, [], ['a'], { toString: 1 }, Number.NaN])
        for (const data of [
          {},
          { tool: value, principal: value, backend: value, times: value, owners: value, ms: value },
        ])
          expect(typeof says(type, data as Event['data'])).toBe('string');
    expect(says('tool.call_received')).toBe('Somebody called (unknown)');
  });

  it('keeps our words and texts from outside apart, on one short line', () => {
    const parts = sentenceOf(
      event('tool.call_received', { tool: '\u202e<script>\n\nalert(1)</script>', principal: 'a' }),
    );
    expect(parts).toEqual([{ given: 'a' }, ' called ', { given: '\u202e<script> alert(1)</script>' }]);
    const emoji = given('🙂'.repeat(200_000)) as { given: string };
    expect(Array.from(emoji.given)).toHaveLength(161);
  });
});
