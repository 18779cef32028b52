import { rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { serverSchema } from '../../../src/gateway/config/server-entry.ts';
import { publicLookup } from '../../../src/wire/url-guard.ts';
import { createCallPath } from '../../../src/kernel/call.ts';
import type { Fact } from '../../../src/kernel/facts.ts';
import { createRedactor } from '../../../src/kernel/redact.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { odd, scratch } from '../../support/processes.ts';

const SOON = { interval: 20 };

/** A gateway without HTTP that checks the health of its servers at this interval. */
async function checkedEvery(healthMs: number, directory: string, servers: Record<string, object>) {
  await using stack = new AsyncDisposableStack();
  const facts: Fact[] = [];
  const events = { record: (fact: Fact) => void facts.push(fact) };
  const store = stack.use(await openSqlite(`${directory}/sluice.db`));
  const parsed = Object.fromEntries(Object.entries(servers).map(([name, entry]) => [name, serverSchema.parse(entry)]));
  const settings = { servers: parsed, toolsets: {}, routes: [], startConcurrency: 8 };
  const deps = {
    store,
    events,
    callPath: createCallPath(events, { shared: store.shared }),
    environment: process.env,
    serverInfo: { name: 'test', version: '1' },
    redact: createRedactor(() => []),
    publicLookup,
    healthMs,
  };
  const gateway = stack.use(await createGateway(deps, settings));
  await (await gateway.configure(settings)).settled;
  const owned = stack.move();
  return { gateway, facts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a server that no longer answers health checks is degraded, then replaced by a new process', async () => {
  await using files = await scratch();
  const entry = { ...odd('--mute-file', files.path('mute'), '--roll', files.roll), timeout: '2s' };
  await using checked = await checkedEvery(100, files.directory, { sick: entry, well: odd() });
  const sick = checked.gateway.backend('sick');
  expect(sick?.state).toBe('RUNNING');
  await writeFile(files.path('mute'), '');
  const degraded = () => checked.facts.find(({ type }) => type === 'gateway.backend_degraded');
  await expect
    .poll(degraded, SOON)
    .toMatchObject({ backend: 'sick', reason: expect.stringContaining('health checks') });
  await rm(files.path('mute'));
  await expect.poll(() => sick?.state, SOON).toBe('RUNNING');
  expect(files.started().length).toBeGreaterThan(1);
  await expect.poll(() => files.left(), SOON).toEqual([files.started().at(-1)]);
  expect(checked.gateway.backend('well')).toMatchObject({ state: 'RUNNING', restarts: 0 });
});

test('a server that answers health checks keeps its process', async () => {
  await using files = await scratch();
  await using checked = await checkedEvery(20, files.directory, { well: odd('--roll', files.roll) });
  let answered = 0;
  const upstream = checked.gateway.backend('well')?.lanes.running()[0];
  const request = upstream?.request.bind(upstream);
  Object.assign(upstream as object, {
    async request(...args: Parameters<NonNullable<typeof request>>) {
      const answer = await request?.(...args);
      if (args[0] === 'ping') answered++;
      return answer;
    },
  });
  await expect.poll(() => answered, SOON).toBeGreaterThan(20);
  expect(checked.gateway.backend('well')).toMatchObject({ state: 'RUNNING', restarts: 0 });
  expect(files.started()).toHaveLength(1);
});
