/** What holds for every module that is built in. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AppError } from '../../../src/kernel/errors.ts';
import type { AnyTool } from '../../../src/kernel/tool.ts';
import { known } from '../../../src/modules/known.ts';
import type { AnyModule } from '../../../src/modules/module.ts';
import { everyModule } from '../../support/every-module.ts';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';
import type { Json } from '../harness.ts';

test('they are those of the support file, in the order of the product', () => {
  expect([...known.keys()]).toEqual(Object.keys(everyModule));
});

const modules = new Map(await Promise.all([...known].map(async ([name, { load }]) => [name, await load()] as const)));
const tools = new Map(
  await Promise.all([...modules].map(async ([name, module]) => [name, await module.tools()] as const)),
);
const names = [...modules.keys()];

/** A call that changes something, of every module that can. */
const changes: Readonly<Record<string, readonly [tool: string, params: Json]>> = {
  redis: ['redis_set_key', { key: 'a', value: 'b' }],
  postgres: ['postgres_vacuum_table', { table: 'orders' }],
  pgvector: ['pgvector_create_collection', { name: 'notes', dimensions: 3 }],
  qdrant: ['qdrant_create_snapshot', { collection: 'notes' }],
  mongodb: ['mongodb_create_collection', { database: 'shop', collection: 'orders' }],
  rabbitmq: ['rabbitmq_publish_message', { routing_key: 'orders', payload: 'x' }],
  docker: ['docker_restart_container', { container: 'web' }],
  uptimekuma: ['uptimekuma_add_monitor', { url: 'https://example.com' }],
  vault: ['vault_write_secret', { path: 'secret/a', secret: { a: 'b' } }],
  github: ['github_create_issue', { repo: 'acme/shop', title: 'x' }],
  openrouter: ['openrouter_chat', { prompt: 'x', model: 'a/b' }],
  dify: ['dify_chat', { query: 'x' }],
  openhands: ['openhands_send_message', { id: '0f4e1c52-6a34-4a8e-9d4b-0d6c1a2b3c4d', message: 'x' }],
};
const moduleOf = (name: string) => modules.get(name) as AnyModule;
const toolsOf = (name: string) => tools.get(name) as readonly AnyTool<never>[];

describe.each(names)('%s', (name) => {
  test('is named after its folder, and says what it is for in one line', () => {
    expect(moduleOf(name).name).toBe(name);
    expect(moduleOf(name).description).toMatch(/^[^\n]{20,100}[^.]$/);
  });

  test('has tools whose names fit, with a second service of the kind, too', () => {
    for (const tool of toolsOf(name)) {
      expect(tool.name).toMatch(new RegExp(`^${name}_[a-z]+(?:_[a-z]+)*$`));
      expect(tool.name.length).toBeLessThanOrEqual(32);
      expect(tool.category).toBe(name);
      expect(tool.phrases?.split('; ').length, tool.name).toBeGreaterThan(1);
    }
    expect(toolsOf(name).map((tool) => tool.name)).not.toContain(`${name}_list`);
    expect(new Set(toolsOf(name).map((tool) => tool.name)).size).toBe(toolsOf(name).length);
  });

  test('has scopes of its own', () => {
    for (const { scope, name: tool } of toolsOf(name))
      expect(scope, tool).toMatch(new RegExp(`^${name}:(?:read|write|execute|exec|reveal)$`));
  });
});

describe('with none of them reachable', () => {
  let client: ModuleClient;
  beforeAll(async () => {
    client = await moduleClient({ ...everyModule });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test.each(names)('%s says in the status that it is away', async (name) => {
    await vi.waitFor(() => expect(client.health(name)).toMatchObject({ state: 'failing' }));
    expect(JSON.stringify(client.health(name))).not.toContain('nothing@');
  });

  test.each(names)('a call of %s says so, and what to do', async (name) => {
    const reader = toolsOf(name).find(({ effect, input }) => effect === 'read' && input.safeParse({}).success);
    expect(reader).toBeDefined();
    const said = await client.refused(name, String(reader?.name));
    expect(said).toMatch(new RegExp(`^${name} at 127\\.0\\.0\\.1:9 .*modules\\.${name}`));
  });

  test('every module that changes something has a call for it', () => {
    const changing = names.filter((name) => toolsOf(name).some(({ effect }) => effect !== 'read'));
    expect(Object.keys(changes).toSorted()).toEqual(changing.toSorted());
  });

  test.each(Object.entries(changes))(
    'a change by %s was certainly not sent, and says so',
    async (name, [tool, params]) => {
      const said = await client.refused(name, tool, params);
      expect(said).toContain('Nothing was changed, so you can repeat the call.');
      expect(said).not.toContain('may or may not');
    },
  );

  test.each(names)('an unknown tool of %s gets the nearest names', async (name) => {
    const [first] = toolsOf(name);
    const wrong = `${first?.name}x`;
    expect(await client.refused(name, wrong)).toMatch(new RegExp(`Did you mean [^?]*\\b${first?.name}\\b`));
  });
});

test('errors of the network are explained by every module, and quote no driver', () => {
  for (const [name, module] of modules) {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const said: AppError | undefined = module.explain?.(refused, `${name} at here`);
    expect(said?.code ?? 'unavailable', name).toBe('unavailable');
  }
});
