/** A gateway that starts before its n8n: bridged tools are listed, and calls wait. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slugOf } from '../../../src/bridge/identity.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool, connectV2, startGateway } from '../harness.ts';
import { hook, line, make, set } from '../../support/workflows.ts';
import { reachN8n } from '../../support/workbench.ts';
import { type Called, calculator, openToolBench, textOf, type ToolBench } from '../../support/tool-bench.ts';
import { openWay, type Way } from './way-to-n8n.ts';

describe.skipIf(n8nIsMissing)('an n8n that starts slowly', () => {
  let home: string;
  let bench: ToolBench;
  let way: Way;
  let config: object;
  let names: { sum: string; report: string };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sluice-slow-'));
    const reached = await reachN8n();
    bench = await openToolBench({ home });
    await bench.agent('sums', [calculator()]);
    const report = await make(bench.n8n, 'report', line(hook(bench.name('slow')), set('Out', '({ sold: 3 })')));
    await bench.n8n.client.workflows.setTags(report.id, [bench.tag.id]);
    await bench.own('bridge_apply');
    names = { sum: `${bench.slug('sums')}__Calculator`, report: `run_${slugOf(bench.name('report'))}` };
    await bench.gateway[Symbol.asyncDispose]();
    way = await openWay(reached.url);
    const entry = (bench.config.n8n as { default: object }).default;
    // The same n8n at another address.
    config = { ...bench.config, n8n: { default: { ...entry, url: way.url } } };
  }, N8N_START_MS);
  afterAll(async () => {
    await way?.[Symbol.asyncDispose]();
    await bench?.[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  test('its tools are listed while it starts, even at another address, and calls are answered once it is up', async () => {
    way.rule = () => 'starting';
    await using gateway = await startGateway(config, { home });
    await using client = await connectV2(gateway);
    const { tools } = await client.listTools();
    const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([names.sum, names.report]));
    expect(tools.find(({ name }) => name === names.sum)).toMatchObject({
      title: 'Calculator',
      annotations: { title: 'Calculator', readOnlyHint: true, openWorldHint: false },
    });

    const told: string[] = [];
    const asked = [
      callTool(client, names.sum, { input: '25*42' }),
      callTool(client, names.report, {}, { onprogress: ({ message }) => void told.push(message ?? '') }),
    ];
    await expect.poll(() => told).toContainEqual(expect.stringContaining('is waiting for n8n to start'));
    way.rule = () => undefined;
    const [sum, report] = (await Promise.all(asked)) as unknown as [Called, Called];
    expect([textOf(sum), textOf(report)]).toEqual(['1050', '{"sold":3}']);

    // Removed from the configuration, its tools disappear.
    await gateway.reload({});
    await expect.poll(async () => (await listed()).filter((name) => Object.values(names).includes(name))).toEqual([]);
  });
});
