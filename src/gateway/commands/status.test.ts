import { expect, test } from 'vitest';
import type { GatewayStatus } from '../status/status.ts';
import { statusText } from './status.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const cost = { tools: 12, bytes: 34_567, tokens: 8642 };
const backend = {
  transport: 'stdio',
  calls: 0,
  restarts: 0,
  isolation: 'shared',
  replicas: 1,
  tags: [],
};
const status: GatewayStatus = {
  version: '1.2.3',
  url: 'http://127.0.0.1:3500/mcp',
  uptimeSeconds: 7300,
  state: 'degraded',
  problems: ['server zeta: It broke.', 'n8n default: It is away.'],
  tools: 12,
  backends: [
    {
      ...backend,
      name: 'zeta',
      state: 'FAILED',
      since: '2026-03-01T11:59:50Z',
      tools: 0,
      restarts: 3,
      lastError: { message: 'It broke.\nBadly.', at: '2026-03-01T11:59:50Z' },
      retryAt: '2026-03-01T12:00:30Z',
    },
    { ...backend, name: 'alpha', state: 'RUNNING', since: '2026-03-01T11:00:00Z', tools: 12, p50Ms: 1.5, p95Ms: 20 },
  ],
  exposure: { flat: cost, compact: { ...cost, tools: 3 }, search: { ...cost, tools: 3 } },
  parts: [
    { name: 'store', kind: 'store', state: 'ready', since: '2026-03-01T10:00:00Z' },
    {
      name: 'n8n default',
      kind: 'n8n',
      state: 'failing',
      since: '2026-03-01T11:59:25Z',
      detail: 'http://127.0.0.1:5678',
      lastError: { message: 'It is away at http://127.0.0.1:5678.', at: '2026-03-01T11:59:58Z' },
      retryAt: '2026-03-01T12:00:08Z',
    },
  ],
  notConfigured: [{ name: 'chora', reason: 'The command chora-compose is not installed.' }],
  sessions: 1,
};
const plain = { width: undefined, paint: (_: string, text: string) => text };

test('everything a person wants to know, in one look', () => {
  expect(statusText(status, plain, now)).toBe(`Sluice 1.2.3, up 2h, 12 tools, 1 session
MCP at http://127.0.0.1:3500/mcp
State: degraded
  server zeta: It broke.
  n8n default: It is away.

SERVER  STATE    SINCE  TOOLS  P50     P95    RESTARTS  LAST ERROR
alpha   RUNNING  1h     12     1.5 ms  20 ms  0
zeta    FAILED   10s    0      -       -      3         10s ago: It broke. (next attempt in 30s)

PART         STATE    SINCE  DETAIL
store        ready    2h
n8n default  failing  35s    2s ago: It is away at http://127.0.0.1:5678. (next attempt in 8s)

What tools/list costs a client:
EXPOSURE  TOOLS  BYTES   TOKENS
flat      12     34,567  8,642
compact   3      34,567  8,642
search    3      34,567  8,642

Not started:
  chora: The command chora-compose is not installed.`);
});

test('states are coloured without moving the columns; long lines fit the terminal', () => {
  const painted = statusText(status, { width: 60, paint: (style, text) => `<${style}>${text}</>` }, now).split('\n');
  expect(painted[7]).toBe('alpha   <green>RUNNING</>  1h     12     1.5 ms  20 ms  0');
  expect(painted[8]).toContain('<red>FAILED</>');
  expect(painted[8]?.replace(/<[^>]*>/g, '')).toHaveLength(60);
});

test('without a server it says how to get one', () => {
  expect(statusText({ ...status, backends: [] }, plain, now)).toContain('sluice init');
});

test('tools that are held back are told', () => {
  const [, alpha] = status.backends;
  const held = { ...(alpha as GatewayStatus['backends'][number]), held: ['a', 'b'] };
  expect(statusText({ ...status, backends: [held] }, plain, now)).toContain('2 changed tools held back');
});
