import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool } from '../../src/kernel/call.ts';
import type { CallContext, Json } from '../../src/kernel/source.ts';
import { createInstances } from '../../src/n8n/instances.ts';
import { n8nTools } from '../../src/n8n/own-source.ts';
import type { N8nDeps } from '../../src/n8n/tool.ts';
import { line, node } from '../support/workflows.ts';
import { type FreshN8n, N8N_START_MS, n8nIsMissing, startFreshN8n } from '../support/n8n.ts';

const WORKFLOWS = 400;

describe.skipIf(n8nIsMissing)(`an n8n with ${WORKFLOWS} workflows`, () => {
  let n8n: FreshN8n;
  let deps: N8nDeps;
  let some: string;

  beforeAll(async () => {
    n8n = await startFreshN8n();
    const { url, apiKey, owner } = n8n;
    const instances = createInstances({ default: { url, apiKey, login: owner, timeoutMs: 30_000 } });
    // None of the tools called here writes a backup.
    deps = { instances } as unknown as N8nDeps;
    const client = instances.get('default');
    const made: string[] = [];
    const rest = Array.from({ length: WORKFLOWS }, (_, index) => index).values();
    const work = async () => {
      for (const index of rest) {
        const steps = Array.from({ length: 12 }, (_, step) =>
          step % 3 === 0
            ? node(`Get ${step}`, 'httpRequest', 4.2, {
                url: `=https://api${index % 20}.example.com/things/{{ $json.id }}`,
                options: {},
              })
            : step % 3 === 1
              ? node(`Code ${step}`, 'code', 2, {
                  jsCode: `${'const a = 1;\n'.repeat(20)}throw new Error("wrong ${index}");`,
                })
              : node(`Call ${step}`, 'executeWorkflow', 1.2, {
                  workflowId: { __rl: true, mode: 'id', value: made[index % 7] ?? '' },
                  options: {},
                }),
        );
        const body = line(
          node('Go', 'manualTrigger', 1),
          ...steps.filter((one) => one.name !== 'Get 0'),
          steps[0] as (typeof steps)[number],
        );
        made.push(
          (await client.workflows.create({ name: `Customer order number ${index}`, ...body, settings: {} })).id,
        );
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    some = made[0] as string;
    for (const id of made.slice(0, 60)) await call('n8n_execute_workflow', { id });
  }, N8N_START_MS);

  afterAll(() => n8n[Symbol.asyncDispose]());

  async function call(name: string, args: Json): Promise<{ ms: number; bytes: number }> {
    const tool = n8nTools.find((one) => one.name === name) as (typeof n8nTools)[number];
    const began = performance.now();
    const outcome = await callTool(tool, deps)({ name, arguments: args }, {
      signal: new AbortController().signal,
    } as CallContext);
    if ('error' in outcome) throw new Error(outcome.error.message);
    return { ms: Math.round(performance.now() - began), bytes: Buffer.byteLength(JSON.stringify(outcome.result)) };
  }

  test.each([
    ['n8n_list_workflows', () => ({})],
    ['n8n_get_workflow', () => ({ id: some })],
    ['n8n_search_workflows', () => ({ text: 'a' })],
    ['n8n_search_workflows', () => ({ url: 'api7.example.com' })],
    ['n8n_get_dependencies', () => ({ id: some })],
    ['n8n_list_executions', () => ({})],
    ['n8n_list_failures', () => ({})],
    ['n8n_list_credentials', () => ({})],
    ['n8n_list_tags', () => ({})],
  ])('%s answers within 5 s and 8 KB', async (name, args) => {
    const { ms, bytes } = await call(name, args());
    console.log(`${name}: ${ms} ms, ${bytes} bytes`);
    expect(bytes).toBeLessThan(8192);
    expect(ms).toBeLessThan(5000);
  });
});
