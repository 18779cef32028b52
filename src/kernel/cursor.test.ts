import { expect, test } from 'vitest';
import { cursorFor, placeIn } from './cursor.ts';

const asked = { instance: 'default', active: true };

test('a cursor continues where the list stopped', () => {
  const cursor = cursorFor('n8n_list_workflows', asked, { next: 'abc', skip: 7 });
  expect(placeIn('n8n_list_workflows', asked, cursor)).toEqual({ next: 'abc', skip: 7 });
  expect(placeIn('n8n_list_workflows', asked, undefined)).toEqual({ skip: 0 });
});

test('the order of filters and undefined filters make no difference', () => {
  const cursor = cursorFor('list', { a: 1, b: 2, c: undefined }, { skip: 1 });
  expect(placeIn('list', { b: 2, a: 1 }, cursor)).toEqual({ skip: 1 });
});

test.each([
  ['another list', cursorFor('n8n_list_tags', asked, { skip: 1 }), /does not belong to n8n_list_workflows/],
  ['other filters', cursorFor('n8n_list_workflows', { active: false }, { skip: 1 }), /other filters/],
  ['nowhere', 'nonsense', /does not belong/],
  ['n8n itself', Buffer.from('{"limit":10,"offset":10}').toString('base64'), /does not belong/],
  ['a forger', Buffer.from('["n8n_list_workflows","x","",-1]').toString('base64url'), /does not belong/],
])('a cursor from %s is refused', (_, cursor, message) => {
  expect(() => placeIn('n8n_list_workflows', asked, cursor)).toThrow(message);
});
