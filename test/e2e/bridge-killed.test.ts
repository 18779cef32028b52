/** `sluice bridge apply` killed half-way: what it left is found again and removed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import { GENERATED_PREFIX, markOf } from '../../src/n8n/generated.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { agentWith, calculator } from '../support/tool-bench.ts';
import { reachN8n } from '../support/workbench.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { createPlace, type Place } from '../support/command-line.ts';

const AGENTS = 4;

describe.skipIf(n8nIsMissing)('sluice bridge apply, killed in the midst of it', () => {
  let place: Place;
  let client: N8nClient;
  const mark = `k${randomUUID().slice(0, 6)}`;
  const sources: string[] = [];

  beforeAll(async () => {
    const { url, apiKey } = await reachN8n();
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    place = await createPlace({
      n8n: { default: { url, apiKey } },
      nodes: withoutCatalogue,
      bridge: { workflows: { tag: '', availableInMCP: false }, tools: { workflows: [`${mark}*`] } },
    });
    for (let one = 1; one <= AGENTS; one++) {
      const made = await client.workflows.create({
        name: `${mark} ${one}`,
        ...agentWith([calculator()]),
        settings: {},
      });
      sources.push(made.id);
    }
  }, N8N_START_MS);
  afterAll(async () => {
    for (const id of sources) await client.workflows.delete(id);
    await place?.[Symbol.asyncDispose]();
  });

  const generated = async () =>
    (await Array.fromAsync(client.workflows.all({ name: GENERATED_PREFIX }))).flatMap((workflow) => {
      const { source, owner } = markOf(workflow) ?? {};
      return source !== undefined && sources.includes(source) ? [{ source, owner: owner as string }] : [];
    });

  test('the next apply continues, nothing exists twice, and remove leaves nothing', async () => {
    const killed = place.start(['bridge', 'apply']);
    await vi.waitFor(async () => expect((await generated()).length).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 20,
    });
    killed.child.kill('SIGKILL');
    await killed.finished;
    expect((await generated()).length).toBeLessThan(AGENTS);

    const applied = await place.run(['bridge', 'apply', '--json']);
    expect(JSON.parse(applied.stdout)).toMatchObject({ instances: [{ generated: AGENTS }], broken: [] });
    const there = await generated();
    expect(there.map(({ source }) => source).sort()).toEqual([...sources].sort());
    expect(new Set(there.map(({ owner }) => owner)).size).toBe(1);

    expect(await place.run(['bridge', 'remove'])).toMatchObject({ code: 0 });
    expect(await generated()).toEqual([]);
    const credentials = (await Array.fromAsync(client.credentials.all())).map(({ name }) => name);
    expect(credentials.filter((name) => name.includes(there[0]?.owner as string))).toEqual([]);
  }, 60_000);
});
