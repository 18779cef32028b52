import { expect, test } from 'vitest';
import { serverSchema } from './server-entry.ts';

const [a, b] = ['https://a.example/mcp', 'https://b.example/mcp'];
const many = Array.from({ length: 33 }, (_, index) => `https://h${index}.example/mcp`);

test('several URLs are one transport; a single one is the same as url', () => {
  expect(serverSchema.parse({ urls: [a, b] }).transport).toEqual({ kind: 'http', url: a, urls: [a, b], headers: {} });
  expect(serverSchema.parse({ urls: [a] })).toEqual(serverSchema.parse({ url: a }));
  expect(serverSchema.parse({ urls: many.slice(1) }).transport).toMatchObject({ urls: many.slice(1) });
  const mixed = serverSchema.parse({ urls: [a, 'https://b.example/sse'], transport: 'sse' });
  expect(mixed.transport.kind).toBe('sse');
});

test.each([
  [{ url: a, urls: [b] }, 'urls and url are two ways to say where the server is', /^Remove url/],
  [{ urls: [b], serverUrl: a }, 'urls and serverUrl are two ways to say where the server is', /^Remove serverUrl/],
  [{ urls: [] }, 'urls is empty', /at least one URL/],
  [{ urls: many }, 'urls has 33 URLs, and 32 is the most', /load balancer/],
  [{ urls: [a, 'ftp://b.example'] }, 'urls.1 is not an http or https URL', /full URL/],
  [{ urls: [a, 'nonsense'] }, 'urls.1 is not an http or https URL', /full URL/],
  [{ urls: [a, b, 'HTTPS://A.example:443/mcp'] }, 'urls.2 is the same URL as urls.0', /set replicas/],
  [{ urls: [a, 'https://b.example/sse'] }, 'urls.1 looks like another transport than the first URL', /transport: http/],
  [{ command: 'x', urls: [a] }, 'has both a command and a URL', /Keep command/],
  [{ urls: [a], transport: 'stdio' }, 'transport is stdio, but there is a URL', /http or sse/],
  [{ urls: [a, 'https://b.example/${principal.id}'] }, 'urls.1 cannot refer to the caller', /header/],
  [{ urls: a }, 'urls', /^$/],
])('%j is refused with its place and a fix', (entry, message, fix) => {
  const issues = serverSchema.safeParse(entry).error?.issues ?? [];
  expect(issues.map(({ path, message: text }) => `${path.join('.')} ${text}`.trim()).join('\n')).toContain(message);
  const fixes = issues.map((issue) => (issue.code === 'custom' ? String(issue.params?.fix) : ''));
  expect(fixes.find((one) => fix.test(one))).toBeDefined();
  expect(issues).toHaveLength(1);
});
