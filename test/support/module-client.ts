/** A gateway with modules, and an SDK client that uses them as an assistant does: in compact exposure. */
import { expect } from 'vitest';
import type { Health } from '../../src/kernel/health.ts';
import { callTool, connectV2, type Json, startGateway, type TestGateway, textOf } from '../integration/harness.ts';

export interface ModuleClient extends AsyncDisposable {
  readonly gateway: TestGateway;
  /** The names of all tools that tools/list has for these modules. */
  listed(): Promise<string[]>;
  /** What `<source>_list` answers: lines of tools, or the schema of one. */
  list(source: string, args?: Json): Promise<string>;
  /** Calls a tool that only reads, through `<source>_read` where the source has it. Throws what it refuses. */
  read<T = Json>(source: string, tool: string, params?: Json): Promise<T>;
  call<T = Json>(source: string, tool: string, params?: Json): Promise<T>;
  /** The question that a deleting call asks, and its answer when it is confirmed. */
  confirmed(source: string, tool: string, params?: Json): Promise<{ question: string; result: Json }>;
  /** The text of the error with which a call is refused. */
  refused(source: string, tool: string, params?: Json): Promise<string>;
  /** The status of a module. */
  health(source: string): Health | undefined;
}

/** `modules` is that section of the file; `config` is the rest of it. */
export async function moduleClient(
  modules: Json,
  { config = {}, ...options }: { config?: object; env?: Record<string, string>; home?: string; store?: string } = {},
): Promise<ModuleClient> {
  await using stack = new AsyncDisposableStack();
  const gateway = stack.use(
    await startGateway(
      { memory: false, graph: false, blueprints: false, projects: false, ...config, modules },
      options,
    ),
  );
  const client = stack.use(await connectV2(gateway, { era: 'modern' }));
  const sources = Object.keys(modules);

  async function listed(): Promise<string[]> {
    const { tools } = await client.listTools();
    return tools.map(({ name }) => name).filter((name) => sources.some((source) => name.startsWith(`${source}_`)));
  }

  async function ask(name: string, args: Json) {
    const result = await callTool(client, name, args);
    expect(Buffer.byteLength(JSON.stringify(result)), `${name} ${JSON.stringify(args)}`).toBeLessThan(8 * 1024 + 500);
    return result;
  }

  async function answer<T>(name: string, args: Json): Promise<T> {
    const result = await ask(name, args);
    if (result.isError) throw new Error(textOf(result));
    return result.structuredContent as T;
  }

  const owned = stack.move();
  return {
    gateway,
    listed,
    list: async (source, args = {}) => textOf(await callTool(client, `${source}_list`, args)),
    async read(source, tool, params = {}) {
      const hasRead = (await listed()).includes(`${source}_read`);
      return await answer(`${source}_${hasRead ? 'read' : 'call'}`, { tool, params });
    },
    call: async (source, tool, params = {}) => await answer(`${source}_call`, { tool, params }),
    async confirmed(source, tool, params = {}) {
      const asked = await ask(`${source}_call`, { tool, params });
      expect(asked.isError, textOf(asked)).toBe(true);
      const question = textOf(asked);
      const confirm = /"confirm": "([^"]+)"/.exec(question)?.[1];
      expect(confirm, question).toBeDefined();
      return { question, result: await answer(`${source}_call`, { tool, params, confirm }) };
    },
    async refused(source, tool, params = {}) {
      const result = await ask(`${source}_call`, { tool, params });
      expect(result.isError, textOf(result)).toBe(true);
      return textOf(result);
    },
    health(source) {
      return gateway.runtime.health().find(({ name }) => name === source);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
