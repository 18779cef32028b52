import { expect, test } from 'vitest';
import { eventReader } from './client.ts';

test('events are read across chunk borders; comments and empty events are skipped', () => {
  const events: string[][] = [];
  const read = eventReader((event, data) => events.push([event, data]));
  read(': ping\n\nevent: endpoint\r\nda');
  read('ta: /messages?sessionId=1\r\n\r\nid: 1\ndata: \n\ndata: {"id":1}\n');
  expect(events).toEqual([['endpoint', '/messages?sessionId=1']]);
  read('\n');
  expect(events[1]).toEqual(['message', '{"id":1}']);
});
