import { describe, expect, it } from 'vitest';
import type { Workflow } from '../client/shapes.ts';
import { changesOf, composed, contentHash } from './compose.ts';
import { changedFacts } from './kept-plan.ts';
import { leastData } from './shells.ts';

const workflow = (more: Partial<Workflow> = {}): Workflow => ({
  id: 'w',
  name: 'Orders',
  active: false,
  isArchived: false,
  nodes: [{ id: 'n', name: 'Hook', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } }],
  connections: {},
  settings: { executionOrder: 'v1' },
  ...more,
});
const plain = { resolve: () => undefined, pinData: false };

describe('what is written on the target', () => {
  it('has no static data, and pinned data only on request', () => {
    const source = workflow({ pinData: { Hook: [] }, staticData: { seen: 1 } });
    expect(Object.keys(composed(source, plain))).toEqual(['name', 'nodes', 'connections', 'settings']);
    expect(composed(source, { ...plain, pinData: true }).pinData).toEqual({ Hook: [] });
  });

  it('unsets the settings that the source does not have', () => {
    const present = workflow({ settings: { executionOrder: 'v1', timezone: 'Europe/Rome', callerPolicy: 'any' } });
    const body = composed(workflow(), { ...plain, present });
    expect(body.settings).toEqual({ executionOrder: 'v1', timezone: 'DEFAULT' });
    expect(changesOf(present, body)).toEqual(['~ settings.timezone removed (was "Europe/Rome")']);
  });

  it('sees no change in what n8n itself adds', () => {
    const present = workflow({ settings: { executionOrder: 'v1', availableInMCP: false }, description: '' });
    present.nodes[0] = { ...(present.nodes[0] as (typeof present.nodes)[number]), webhookId: 'given-by-n8n' };
    const body = composed(workflow({ description: null }), { ...plain, present });
    expect(changesOf(present, body)).toEqual([]);
    expect(body.nodes[0]?.webhookId).toBe('given-by-n8n');
    expect(changesOf(present, composed(workflow({ description: 'New' }), { ...plain, present }))).toHaveLength(1);
  });

  it('has a hash of what people see', () => {
    const hash = contentHash(workflow());
    expect(
      contentHash(
        workflow({
          id: 'other',
          versionId: 'v',
          updatedAt: 'now',
          staticData: 1,
          settings: { timezone: 'DEFAULT', executionOrder: 'v1' },
        }),
      ),
    ).toBe(hash);
    expect(contentHash(workflow({ name: 'Other' }))).not.toBe(hash);
  });
});

describe('a kept plan', () => {
  it('says what changed since', () => {
    const fact = (key: string, stamp: string) => ({ key, stamp, what: `"${key}"` });
    const then = [fact('a', '1'), fact('b', '1'), fact('c', '1')];
    expect(changedFacts(then, [fact('a', '1'), fact('b', '2'), fact('d', '1')])).toEqual([
      '"b" has changed',
      '"c" is gone or is no longer needed',
      '"d" is new',
    ]);
  });
});

describe('an empty credential', () => {
  it('has the fewest values that its schema accepts', () => {
    const schema = {
      properties: {
        host: { type: 'string' },
        port: { type: 'number' },
        mode: { type: 'string', enum: ['key', 'password'] },
        key: { type: 'string' },
        note: { type: 'string' },
      },
      required: ['host', 'port', 'mode'],
      allOf: [JSON.parse('{"if":{"properties":{"mode":{"enum":["key"]}}},"then":{"allOf":[{"required":["key"]}]}}')],
    };
    expect(leastData(schema)).toEqual({ host: '', port: 0, mode: 'key', key: '' });
    expect(leastData({ properties: {} })).toEqual({});
  });
});
