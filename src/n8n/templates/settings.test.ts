import { expect, test } from 'vitest';
import { templatesSection } from './settings.ts';

const DAY = 86_400_000;

test('has a default for everything', () => {
  expect(templatesSection.parse({})).toEqual({
    public: true,
    url: 'https://api.n8n.io/api/',
    refresh: DAY,
    libraries: {},
  });
});

test.each([
  ['7d', 7 * DAY],
  ['12h', DAY / 2],
  ['30m', 1_800_000],
  [90, 90_000],
])('refresh %j is %i ms', (refresh, ms) => {
  expect(templatesSection.parse({ refresh }).refresh).toBe(ms);
});

test.each([
  [{ refresh: '0d' }, 'refresh'],
  [{ refresh: '400d' }, 'refresh'],
  [{ refresh: 'soon' }, 'refresh'],
  [{ url: 'https://user:secret@example.com/api/' }, 'url'],
  [{ url: 'https://example.com/api/?key=1' }, 'url'],
  [{ url: 'ftp://example.com' }, 'url'],
  [{ libraries: { public: './flows' } }, 'libraries'],
  [{ libraries: { 'a b': './flows' } }, 'libraries'],
  [{ libraries: { team: '' } }, 'libraries'],
  [{ folder: './flows' }, undefined],
])('%j is refused', (given, path) => {
  const { error } = templatesSection.safeParse(given);
  expect(error?.issues[0]?.path[0]).toBe(path);
});
