/** What one key keeps takes no room of another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, keyOf, refused, remember } from '../../support/memory-calls.ts';
import { type AnyClient, callTool, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';

const config = { auth: { mode: 'keys' }, memory: { quota: 1 }, graph: { quota: 1 } };
/** Takes up 500 KB, with words and vectors. */
const long = (start: string) => start.padEnd(100_000, ' word');

let gateway: TestGateway;
const stack = new AsyncDisposableStack();
let [ana, ben, admin] = [] as unknown as [AnyClient, AnyClient, AnyClient];

beforeAll(async () => {
  gateway = stack.use(await startGateway(config));
  const as = async (name: string, scopes?: string[]) =>
    stack.use(await connectV2(gateway, { era: 'modern', headers: (await keyOf(gateway, name, scopes)).headers }));
  [ana, ben] = [await as('ana'), await as('ben')];
  admin = await as('boss', ['admin', 'tools:read', 'tools:execute']);
});
afterAll(() => stack.disposeAsync());

const shared = { namespace: 'default' };

test('memories: storing, updating and importing end at the limit, and forgetting makes room', async () => {
  const first = await remember(ana, long('first'), shared);
  await remember(ana, long('second'), shared);
  const full =
    /You have 1\.0 MB of memories, and this would exceed the limit of 1 MB for each caller\. Nothing was stored\. Erase some with memory_forget, or have the owner raise memory\.quota\./;
  const { code, text } = await refused(ana, 'store', { text: long('third'), ...shared });
  expect([code, text]).toEqual(['conflict', expect.stringMatching(full)]);
  expect((await refused(ana, 'update', { id: first.id, text: long('third') })).text).toMatch(full);
  expect((await refused(ana, 'import', { content: long('# Third\n'), ...shared })).text).toMatch(full);

  // The same namespace has room for others.
  await remember(ben, long('third'), shared);
  for (const start of ['fourth', 'fifth', 'sixth']) await remember(admin, long(start), shared);

  const { confirm } = await refused(ana, 'forget', { ids: [first.id] });
  await done(ana, 'forget', { ids: [first.id], ...(confirm !== undefined && { confirm }) });
  await remember(ana, long('third'), shared);
});

test('the graph: what somebody wrote counts for them alone', async () => {
  const write = async (client: AnyClient, tool: string, params: Json) =>
    callTool(client, 'graph_call', { tool, params });
  const observations = (start: string) => [{ entityName: 'Ada', contents: [long(start).slice(0, 40_000)] }];
  const said = (result: { isError?: unknown; content?: unknown }) => JSON.stringify(result.content).slice(0, 300);
  expect((await write(ana, 'create_entities', { entities: [{ name: 'Ada', type: 'person' }] })).isError).not.toBe(true);
  const answers: string[] = [];
  for (let at = 0; at < 12; at++)
    answers.push(said(await write(ana, 'add_observations', { observations: observations(`fact ${at}`) })));
  expect(answers[7]).not.toContain('exceed');
  expect(answers.at(-1)).toMatch(
    /of the graph, and this would exceed the limit of 1 MB.*graph_delete_observations.*graph\.quota/,
  );
  const theirs = await write(ben, 'add_observations', { observations: observations('of ben') });
  expect(said(theirs)).not.toContain('exceed');
});
