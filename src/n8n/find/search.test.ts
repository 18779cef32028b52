import { describe, expect, test } from 'vitest';
import type { Node, Workflow } from '../client/shapes.ts';
import { searchWorkflow } from './search.ts';
import { isAddress, urlMatches } from './url-match.ts';
import { pathMatches, webhookPathIn } from './webhook-match.ts';

const workflow = (nodes: Node[], change: Partial<Workflow> = {}): Workflow => ({
  id: 'w',
  name: 'Orders',
  active: false,
  isArchived: false,
  nodes,
  connections: {},
  ...change,
});

const http: Node = {
  name: 'Get',
  type: 'n8n-nodes-base.httpRequest',
  parameters: {
    url: 'https://api.example.com/v1',
    options: { headers: [{ name: 'X', value: '={{ $json.tenant }}' }] },
  },
  credentials: { httpHeaderAuth: { id: 'c1', name: 'Shop key' } },
  notes: 'asks the shop',
};

test('each criterion finds node, place and match', () => {
  const found = (query: Parameters<typeof searchWorkflow>[1]) =>
    searchWorkflow(workflow([http]), query)?.map(({ node, where, match }) => [node, where, match]);
  expect(found({ url: 'API.example.com' })).toEqual([['Get', 'parameters.url', 'https://api.example.com/v1']]);
  expect(found({ expression: '$json.tenant' })).toEqual([
    ['Get', 'parameters.options.headers[0].value', '={{ $json.tenant }}'],
  ]);
  expect(found({ credential: 'c1' })).toEqual([['Get', 'credentials.httpHeaderAuth', 'Shop key']]);
  expect(found({ node_type: 'HTTP Request' })).toEqual([['Get', 'type', 'n8n-nodes-base.httpRequest']]);
  expect(found({ text: 'the shop' })).toEqual([['Get', 'notes', 'asks the shop']]);
  expect(found({ text: 'orders' })).toEqual([[undefined, 'workflow name', 'Orders']]);
  expect(found({ url: 'other.example.com' })).toBeUndefined();
  expect(found({ url: 'api.example.com', credential: 'c2' })).toBeUndefined();
});

test('a long text is cut around the match, and code to its line', () => {
  const code = {
    ...http,
    parameters: { jsCode: `const a = 1;\n${'x'.repeat(200)} needle ${'y'.repeat(200)}\nreturn a;` },
  };
  const [hit] = searchWorkflow(workflow([code]), { code: 'needle' }) ?? [];
  expect(hit?.match).toMatch(/^…x+ needle y+…$/);
  expect(hit?.match.length).toBeLessThan(120);
});

test('a hit in both the draft and the live version counts once; a hit only in the live version is marked', () => {
  const live = { active: true, versionId: '2', activeVersionId: '1', activeVersion: { nodes: [http] } };
  expect(searchWorkflow(workflow([http], live), { url: 'api.example.com' })).toHaveLength(1);
  expect(searchWorkflow(workflow([], live), { url: 'api.example.com' })).toMatchObject([{ node: 'Get', live: true }]);
});

describe('addresses', () => {
  test.each([
    ['=https://api.example.com/users/{{ $json.id }}/orders', 'https://api.example.com/users/17/orders', true],
    ['=https://api.example.com/users/{{ $json.id }}', 'https://api.example.com/users/17?full=1', true],
    ['=https://{{ $json.host }}/users', 'https://api.example.com/users', false],
    ['={{ $json.url }}', 'https://api.example.com', false],
    ['https://api.example.com/a', 'https://api.example.com/b', false],
    ['https://api.example.com/a', 'example.com/a', true],
  ])('%s is found by %s: %s', (text, wanted, expected) => {
    expect(urlMatches(text, wanted)).toBe(expected);
  });

  test('are recognised by the parameter or by their form', () => {
    expect([isAddress('url', 'x'), isAddress('jsCode', 'fetch("https://a")'), isAddress('name', 'url')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('webhook paths', () => {
  test.each([
    ['orders', '/orders/', true],
    ['orders/:id', 'orders/42', true],
    ['orders/:id', 'orders/42/lines', false],
    ['orders', 'orders2', false],
    [undefined, 'orders', false],
  ])('%s answers at %s: %s', (own, wanted, expected) => {
    expect(pathMatches(own, wanted)).toBe(expected);
  });

  test.each([
    ['https://n8n.example.com/webhook/orders/1?a=b', 'orders/1'],
    ['/webhook-test/orders', 'orders'],
    ['https://n8n.example.com/base/webhook/orders', 'orders'],
    ['form/abc', 'abc'],
    ['orders', 'orders'],
  ])('%s has the path %s', (text, expected) => {
    expect(webhookPathIn(text)).toBe(expected);
  });
});
