/** What holds for every module that is built in. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AppError } from '../../../src/kernel/errors.ts';
import type { AnyTool } from '../../../src/kernel/tool.ts';
import { known } from '../../../src/modules/known.ts';
import type { AnyModule } from '../../../src/modules/module.ts';
import { everyModule } from '../../support/every-module.ts';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';

test('they are those of the support file, in the order of the product', () => {
  expect([...known.keys()]).toEqual(Object.keys(everyModule));
});

const modules = new Map(await Promise.all([...known].map(async ([name, { load }]) => [name, await load()] as const)));
const tools = new Map(
  await Promise.all([...modules].map(async ([name, module]) => [name, await module.tools()] as const)),
);
const names = [...modules.keys()];
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
