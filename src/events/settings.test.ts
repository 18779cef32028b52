import { expect, test } from 'vitest';
import { eventsSettings } from './settings.ts';

const url = 'https://n8n.example/hook';
const problemsOf = (section: unknown) => {
  const { error } = eventsSettings.events.safeParse(section);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('only the url of a webhook is required', () => {
  expect(eventsSettings.events.parse({ webhook: { url } }).webhook).toEqual([
    {
      name: 'webhook',
      url,
      filter: ['*'],
      exceptPrincipals: [],
      batch: 100,
      headers: {},
      timeout: 15_000,
      retry: { first: 1_000, most: 60_000 },
      tries: 3,
      maxWaiting: 1_000_000,
    },
  ]);
});

test('several webhooks need different names', () => {
  const parsed = eventsSettings.events.parse({ webhook: [{ url }, { url, name: 'b', retry: { most: '5m' } }] });
  expect(parsed.webhook?.map(({ name, retry }) => [name, retry.most])).toEqual([
    ['webhook', 60_000],
    ['b', 300_000],
  ]);
  expect(problemsOf({ webhook: [{ url }, { url }] })).toEqual(['webhook.1.name: "webhook" is used twice']);
});

test('files are watched from the end by default', () => {
  expect(eventsSettings.events.parse({ watch: ['a.jsonl', { path: 'b.jsonl', from: 'start' }] }).watch).toEqual([
    { path: 'a.jsonl', from: 'end' },
    { path: 'b.jsonl', from: 'start' },
  ]);
});

test('files that the gateway writes cannot be watched', () => {
  expect(problemsOf({ jsonl: 'var/events', watch: ['other.jsonl', './var/events/2026-11-15.jsonl'] })).toEqual([
    'watch.1: is in the directory that events.jsonl writes to: each event would be read and written again in a loop',
  ]);
});

test.each([
  [{ webhook: {} }],
  [{ webhook: { url: 'ftp://x' } }],
  [{ webhook: { url, filter: [] } }],
  [{ webhook: { url, batch: 0 } }],
  [{ webhook: { url, batch: 1001 } }],
  [{ webhook: { url, name: 'a b' } }],
  [{ webhook: { url, secret: '' } }],
  [{ webhook: { url, sekret: 'x' } }],
  [{ webhook: { url, headers: { 'X-Sluice-Signature': 'forged' } } }],
  [{ webhook: { url, headers: { Host: 'other' } } }],
  [{ webhook: { url, headers: { 'a b': 'x' } } }],
  [{ webhook: { url, headers: { a: 'x\r\nb: y' } } }],
  [{ watch: 'a.jsonl' }],
  [{ watch: [''] }],
  [{ watch: [{ path: 'a', from: 'middle' }] }],
])('%j is refused', (section) => {
  expect(problemsOf(section)).toHaveLength(1);
});
