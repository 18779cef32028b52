/** What people ask an assistant for in their first hour with n8n, with the shipped command: does it work, and at what cost? */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createN8nClient } from '../../src/n8n/client/client.ts';
import { connectV2, type Place as Gateway } from '../integration/harness.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../support/n8n.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { type Assistant, assistantOf, type Cost } from './first-hour/assistant.ts';
import { startService } from './first-hour/service.ts';
import { tasks } from './first-hour/tasks.ts';
import { CLOSED, serving } from '../support/node-tour.ts';

describe.skipIf(n8nIsMissing)('the first hour with n8n', () => {
  const prefix = `hour-${crypto.randomUUID().slice(0, 8)}`;
  const costs = new Map<string, Cost>();
  let n8n: TestN8n;
  let place: Place;
  let gateway: Awaited<ReturnType<typeof serving>>;
  let service: Awaited<ReturnType<typeof startService>>;

  beforeAll(async () => {
    n8n = await startN8n();
    const { url, apiKey, owner: login } = n8n;
    service = await startService();
    place = await createPlace({ n8n: { default: { url, apiKey, login } } });
    gateway = await serving(place, { SLUICE_CACHE: join(place.user, 'cache'), ...CLOSED });
  }, N8N_START_MS);

  afterAll(async () => {
    if (process.env.FIRST_HOUR) console.table(Object.fromEntries(costs));
    await gateway?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
    if (!n8n) return;
    const client = createN8nClient('default', { ...n8n, timeoutMs: 30_000 });
    for await (const { id } of client.workflows.all({ name: prefix })) await client.workflows.delete(id);
    for await (const { id, name } of client.credentials.all())
      if (name.startsWith(prefix)) await client.credentials.delete(id);
  });

  const connected = (at: Gateway) =>
    connectV2(at, { answer: () => ({ action: 'accept', content: { confirm: true } }) });

  test.each(tasks)('$name', { timeout: 120_000 }, async ({ name, most, run }) => {
    await using client = await connected(gateway);
    await using other = await connected(gateway);
    const assistant: Assistant = assistantOf(client);
    await run(assistant, { prefix, service: service.url, colleague: assistantOf(other) });
    const cost = assistant.cost();
    costs.set(name, cost);
    expect(cost.calls).toBeLessThanOrEqual(most.calls);
    expect(cost.bytes).toBeLessThanOrEqual(most.kilobytes * 1024);
  });
});
