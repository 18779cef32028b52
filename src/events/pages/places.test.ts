import { expect, it } from 'vitest';
import type { Event } from './event.ts';
import { placesOf } from './places.ts';

const hrefs = (data: Event['data']) =>
  placesOf({
    id: 1,
    timestamp: '2026-01-01T00:00:00.000Z',
    trace_id: 'a',
    event_type: 'tool.call_completed',
    status: 'success',
    data,
  }).map(({ href }) => href);

it('leads to the tool, its server and what its caller did', () => {
  expect(hrefs({ tool: 'notes__search', source: 'notes', principal: 'key:1' })).toEqual([
    'console/tools/notes__search',
    'console/servers/notes',
    'console/activity?principal=key%3A1',
  ]);
  expect(hrefs({ backend: 'a/b' })).toEqual(['console/servers/a%2Fb']);
});

it('does not take one of our own sources, or what another program says, for a server', () => {
  expect(hrefs({ tool: 'n8n_get_workflow', source: 'n8n' })).toEqual(['console/tools/n8n_get_workflow']);
  expect(hrefs({ tool: 'a__b', source: 'a', backend: 'c', watched: 'f.jsonl' })).toEqual([]);
  expect(hrefs({ tool: '(unknown)', source: '(unknown)' })).toEqual([]);
  expect(hrefs({ tool: 5, backend: {}, principal: null })).toEqual([]);
});
