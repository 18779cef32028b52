import { describe, expect, test } from 'vitest';
import { bridgeSettings } from '../../../test/support/bridge-settings.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Fact } from '../../kernel/facts.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { Instances } from '../../n8n/instances.ts';
import type { Found } from '../discover.ts';
import type { BridgeSettings } from '../settings.ts';
import { createWatcher } from './watcher.ts';

const webhook = { id: 'n', name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { path: 'p' } };
const workflow = (version: string) => ({
  id: 'w1',
  name: 'One',
  nodes: [webhook],
  connections: {},
  versionId: version,
  isArchived: false,
  active: false,
  tags: [{ id: 't', name: 'mcp' }],
});

/** A fake n8n with one workflow, whose answers a test can change. */
function setUp(settings: BridgeSettings = bridgeSettings({ poll: 60_000 })) {
  const it = {
    version: 'v1',
    down: false,
    others: [] as ReturnType<typeof workflow>[],
    looks: 0,
    ones: 0,
    /** The next version is stored after this many reads of the workflow. */
    storedAt: Number.POSITIVE_INFINITY,
    refuse: false,
    hasKey: true,
  };
  const answer = () => {
    if (it.down) throw new AppError('unavailable', 'n8n is down');
    return workflow(it.version);
  };
  const client = {
    get hasKey() {
      return it.hasKey;
    },
    http: {
      async send() {
        it.looks++;
        return { status: 200, headers: new Headers(), body: { data: [answer(), ...it.others], nextCursor: null } };
      },
    },
    workflows: {
      async get() {
        if (++it.ones === it.storedAt) it.version = 'v2';
        return answer();
      },
    },
  } as unknown as N8nClient;
  const facts: Fact[] = [];
  const updates: (readonly Found[])[] = [];
  const watcher = createWatcher(
    'default',
    {
      instances: { get: () => client } as unknown as Instances,
      settings: () => settings,
      events: { record: (fact) => void facts.push(fact) },
      redact: (text) => text.replaceAll('down', '***'),
    },
    async (found) => {
      if (it.refuse) throw new AppError('unavailable', 'cannot publish');
      updates.push(found);
    },
  );
  return { it, facts, updates, watcher, [Symbol.asyncDispose]: () => watcher[Symbol.asyncDispose]() };
}

describe('a watcher', () => {
  test('does not scan an n8n without an API key, unless it is asked to', async () => {
    await using watched = setUp();
    watched.it.hasKey = false;
    await watched.watcher.look(undefined, 'start');
    watched.watcher.told('w1', 'hook');
    await watched.watcher.look('w1', 'file');
    expect(watched).toMatchObject({ it: { looks: 0, ones: 0 }, facts: [] });
    expect(watched.watcher.state().state).toBe('starting');
    watched.it.hasKey = true;
    await watched.watcher.look(undefined, 'start');
    expect(watched.watcher.state().state).toBe('watching');
  });

  test('reports the first result, and then only changes', async () => {
    await using all = setUp();
    await all.watcher.look(undefined, 'start');
    await all.watcher.look();
    expect(all.updates).toHaveLength(1);
    expect(all.facts).toEqual([]);
    all.it.version = 'v2';
    await all.watcher.look();
    expect(all.updates).toHaveLength(2);
    expect(all.facts).toMatchObject([{ type: 'bridge.workflows_changed', via: 'asked', workflows: ['w1'], count: 1 }]);
    expect(all.watcher.state()).toMatchObject({ state: 'watching', workflows: 1 });
  });

  test('polls', async () => {
    await using all = setUp(bridgeSettings({ poll: 20 }));
    await expect.poll(() => all.updates).toHaveLength(1);
    all.it.version = 'v2';
    await expect.poll(() => all.updates).toHaveLength(2);
    expect(all.facts).toMatchObject([{ via: 'poll' }, { via: 'poll' }]);
  });

  test('scans an announced workflow until it sees the change, because n8n announces it before storing it', async () => {
    await using all = setUp();
    await all.watcher.look(undefined, 'start');
    all.it.storedAt = all.it.ones + 3;
    all.watcher.told('w1', 'hook');
    await expect.poll(() => all.updates).toHaveLength(2);
    expect(all.it.looks).toBe(1);
    expect(all.facts).toMatchObject([{ via: 'hook', workflows: ['w1'] }]);
  });

  test('sees an announced change that n8n stores after it has shown an earlier one', async () => {
    await using all = setUp();
    await all.watcher.look(undefined, 'start');
    all.it.version = 'earlier';
    all.it.storedAt = all.it.ones + 3;
    all.watcher.told('w1', 'hook');
    await expect.poll(() => all.updates).toHaveLength(3);
    expect(all.it).toMatchObject({ version: 'v2', looks: 1 });
  });

  test('waiting requests for a full scan share one', async () => {
    await using all = setUp();
    await Promise.all(Array.from({ length: 50 }, () => all.watcher.look()));
    expect(all.it.looks).toBeLessThanOrEqual(2);
  });

  test('keeps its results while n8n is away, and records the failure and the recovery once', async () => {
    await using all = setUp(bridgeSettings({ poll: 20 }));
    await all.watcher.look(undefined, 'start');
    all.it.down = true;
    await expect.poll(() => all.watcher.state().state).toBe('failing');
    expect(all.watcher.found()).toHaveLength(1);
    const looks = all.it.looks;
    await expect.poll(() => all.it.looks).toBeGreaterThan(looks + 2);
    all.it.down = false;
    await expect.poll(() => all.watcher.state().state).toBe('watching');
    expect(all.facts).toEqual([
      { type: 'bridge.discovery_failed', instance: 'default', reason: 'n8n is ***' },
      { type: 'bridge.discovery_recovered', instance: 'default' },
    ]);
  });

  test('scans everything if one workflow is announced before the first full scan', async () => {
    await using all = setUp();
    all.it.others = [{ ...workflow('v1'), id: 'w2', tags: [] }];
    all.it.down = true;
    await all.watcher.look(undefined, 'start');
    await expect(all.watcher.exclusively(async () => 'done')).rejects.toMatchObject({ code: 'unavailable' });
    all.it.down = false;
    await all.watcher.look('w1', 'hook');
    expect(all.updates.map((found) => found.map(({ id }) => id))).toEqual([['w1', 'w2']]);
  });

  test('after a change of settings, scans everything before exclusive work', async () => {
    await using all = setUp();
    all.it.others = [{ ...workflow('v1'), id: 'w2', tags: [] }];
    await all.watcher.look(undefined, 'start');
    all.watcher.reset();
    const { looks } = all.it;
    expect(await all.watcher.exclusively(async (found) => found.length)).toBe(2);
    expect(all.it.looks).toBe(looks + 1);
    await all.watcher.look();
    expect(all.updates).toHaveLength(2);
  });

  test('a requested scan throws the reason of its failure', async () => {
    await using all = setUp();
    all.it.down = true;
    await expect(all.watcher.look()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('reports again after the exposers failed, even without a change', async () => {
    await using all = setUp(bridgeSettings({ poll: 20, discovery: 'hook' }));
    all.it.refuse = true;
    await all.watcher.look(undefined, 'start');
    expect(all.watcher.state()).toMatchObject({ state: 'failing', reason: 'cannot publish' });
    all.it.refuse = false;
    await expect.poll(() => all.updates).toHaveLength(1);
    await expect.poll(() => all.watcher.state().state).toBe('watching');
  });

  test('stops its timers and scans when disposed', async () => {
    const all = setUp(bridgeSettings({ poll: 10 }));
    await expect.poll(() => all.it.looks).toBeGreaterThan(0);
    all.watcher.told('w1', 'hook');
    await all[Symbol.asyncDispose]();
    const { looks, ones } = all.it;
    await expect(all.watcher.look()).rejects.toThrow('aborted');
    expect({ looks: all.it.looks, ones: all.it.ones }).toEqual({ looks, ones });
  });
});
