import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialName } from '../../../src/n8n/generate/header.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { call, toolNames } from '../../support/plain-calls.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { calculator, openToolBench, type ToolBench } from '../../support/tool-bench.ts';
import { startGateway, type TestGateway, textOf } from '../harness.ts';

const SOON = { interval: 50, timeout: 20_000 };

describe.skipIf(n8nIsMissing ?? postgresIsMissing)('two replicas that bridge one n8n', () => {
  const stack = new AsyncDisposableStack();
  let bench: ToolBench;
  let b: TestGateway;

  beforeAll(async () => {
    const database = stack.use(await createDatabase());
    bench = stack.use(await openToolBench({ config: { store: database.url } }));
    const secret = (await readFile(join(bench.gateway.home, 'sluice.key'), 'utf8')).trim();
    b = stack.use(await startGateway(bench.config, { env: { SLUICE_SECRET_KEY: secret } }));
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  const onB = async (workflow: string) =>
    (await toolNames(b.url)).filter((name) => name.startsWith(`${bench.slug(workflow)}__`));

  test('write once what both need, list the same tools, and forget them together', async () => {
    await bench.agent('sums', [calculator()]);
    await bench.own('bridge_apply');
    await expect.poll(() => onB('sums'), SOON).toEqual([`${bench.slug('sums')}__Calculator`]);
    expect(textOf(await call(b.url, `${bench.slug('sums')}__Calculator`, { input: '25*42' }))).toBe('1050');

    await bench.agent('more', [calculator()]);
    await Promise.all([bench.own('bridge_apply'), call(b.url, 'bridge_apply')]);
    await bench.until(bench.slug('more'), [`${bench.slug('more')}__Calculator`]);
    await expect.poll(() => onB('more'), SOON).toEqual([`${bench.slug('more')}__Calculator`]);
    expect(await bench.generated()).toHaveLength(2);
    const credentials = await Array.fromAsync(bench.n8n.client.credentials.all());
    expect(credentials.filter(({ name }) => name === credentialName(bench.owner))).toHaveLength(1);

    await bench.own('bridge_cleanup');
    await expect.poll(async () => [...(await onB('sums')), ...(await onB('more'))], SOON).toEqual([]);
    expect(await bench.generated()).toEqual([]);
  }, 120_000);
});
