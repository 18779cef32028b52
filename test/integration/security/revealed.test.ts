/** A value that a tool has revealed is in no memory, graph, event, log, trace or webhook afterwards. */
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openEvents } from '../../support/event-stream.ts';
import { startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { call, eventsOf } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';
import { callTool, connectV2, type Json, textOf } from '../harness.ts';

/** With characters that JSON and URLs write differently. */
const SECRET = 'rev-7Hq"2&ä/Zx9+w';

/** A module that reveals a value, repeats what it is given, fails with it, and asks before it deletes it. */
const teller = `
import { module, toolsFor, z } from 'sluice/module';
const tool = toolsFor({ category: 'teller' });
const text = z.strictObject({ text: z.string() });
const output = z.object({ text: z.string() });
const about = { title: 'Teller', output };
export default module({
  name: 'teller',
  description: 'tells things',
  settings: z.object({}),
  address: () => ({ text: 'here' }),
  tools: async () => [
    tool({ ...about, name: 'teller_reveal', description: 'Reveals it.', effect: 'execute', input: text,
      async run({ text }, { revealed }) { const secret = Buffer.from(text, 'base64').toString(); revealed(secret); return { text: secret }; } }),
    tool({ ...about, name: 'teller_repeat', description: 'Repeats it.', effect: 'execute', input: text, run: async ({ text }) => ({ text }) }),
    tool({ ...about, name: 'teller_fail', description: 'Fails.', effect: 'execute', input: text,
      async run({ text }) { throw new Error('cannot use ' + text); } }),
    tool({ ...about, name: 'teller_delete', description: 'Deletes.', effect: 'delete', input: text,
      preview: async ({ text }) => 'Deletes ' + text, run: async ({ text }) => ({ text }) }),
  ],
  connect: async (_, { revealed }) => ({ revealed, async [Symbol.asyncDispose]() {} }),
  check: async () => 'fine',
});
`;

async function webhook() {
  let heard = '';
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      heard += body.toString();
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const forms = [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)];
const leaksIn = (text: string) => forms.filter((form) => text.includes(form));

test('a revealed value is kept nowhere, with everything recorded', async () => {
  await using files = await scratch();
  await using traces = await startOtlpReceiver();
  await using hook = await webhook();
  await mkdir(join(files.directory, 'home', 'modules'), { recursive: true });
  await writeFile(join(files.directory, 'home', 'modules', 'teller.ts'), teller);
  const config = {
    logLevel: 'debug',
    events: { arguments: true, jsonl: 'events', webhook: { url: hook.url } },
    modules: { teller: { mode: 'read-write' } },
    mcpServers: { odd: odd() },
  };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
  await using gateway = await serve(files.directory, config, { env });
  await gateway.ready();
  using stream = await openEvents(new URL('/events', gateway.url).href);
  await using client = await connectV2(gateway, { era: 'modern' });
  const ask = async (name: string, args: Json) => {
    const result = await callTool(client, name, args);
    return { isError: result.isError === true, text: textOf(result) };
  };
  const told = (tool: string, text: string, more: Json = {}) => ask('teller_call', { tool, params: { text }, ...more });

  const { text } = await told('reveal', Buffer.from(SECRET).toString('base64'));
  expect(text).toContain(JSON.stringify(SECRET).slice(1, -1));

  // Whoever was shown it may use it.
  expect((await told('repeat', SECRET)).isError).toBe(false);
  expect((await told('fail', `with ${SECRET}`)).isError).toBe(true);
  expect((await told('delete', SECRET)).text).toContain('confirm');
  expect((await told(SECRET, 'x')).isError).toBe(true);
  await call(gateway.url, 'odd__echo', { text: SECRET });
  await call(gateway.url, `odd__${SECRET}`).catch(() => {});
  await fetch(new URL(`/api/v1/tools/${encodeURIComponent(SECRET)}`, gateway.url)).catch(() => {});

  const memory = (tool: string, params: Json) => ask('memory_call', { tool, params });
  const graph = (tool: string, params: Json) => ask('graph_call', { tool, params });
  const stored = await memory('store', { text: 'The database needs a password.' });
  const { id } = JSON.parse(stored.text) as { id: string };
  await graph('create_entities', { entities: [{ name: 'Database', type: 'service' }] });
  const refused = [
    await memory('store', { text: `The password is ${SECRET}.` }),
    await memory('store', { text: 'The password.', metadata: { deep: [SECRET] } }),
    await memory('store', { text: 'The password.', tags: [SECRET] }),
    await memory('store', { text: 'The password.', namespace: SECRET }),
    await memory('update', { id, text: SECRET }),
    await memory('import', { content: `# Notes\n\nFine.\n\n# More\n\n${SECRET}\n`, name: 'n.md' }),
    await memory('import', { content: JSON.stringify({ text: SECRET }) }),
    await memory('set_namespace', { name: SECRET }),
    await graph('create_entities', { entities: [{ name: SECRET, type: 'service' }] }),
    await graph('create_entities', { entities: [{ name: 'Other', type: 'service', observations: [SECRET] }] }),
    await graph('create_entities', { entities: [{ name: 'Other', type: 'x', properties: { password: SECRET } }] }),
    await graph('add_observations', { observations: [{ entity: 'Database', contents: [`has ${SECRET}`] }] }),
    await graph('create_relations', {
      relations: [{ from: 'Database', type: 'is', to: 'Database', properties: { by: SECRET } }],
    }),
    await graph('update_entity', { name: 'Database', properties: { password: SECRET } }),
  ];
  for (const { isError, text: said } of refused) {
    expect(isError, said).toBe(true);
    expect(said).toMatch(/contains a secret.*keeps no secrets.*path in Vault/);
    expect(leaksIn(said)).toEqual([]);
  }
  // Searching for it stores nothing.
  await ask('memory_read', { tool: 'search', params: { query: SECRET } });
  await ask('graph_read', { tool: 'search', params: { query: SECRET } });

  await expect.poll(async () => (await eventsOf(gateway.url, 'tool.call_arguments')).length).toBeGreaterThan(5);
  await expect.poll(() => hook.heard(), { timeout: 10_000 }).toContain('graph_search');
  await expect.poll(() => traces.spans.length, { timeout: 10_000 }).toBeGreaterThan(20);
  expect(leaksIn(stream.text())).toEqual([]);
  stream.close();
  await gateway.end('SIGTERM');

  expect(leaksIn(gateway.output())).toEqual([]);
  expect(leaksIn(hook.heard())).toEqual([]);
  expect(leaksIn(Buffer.from(traces.raw(), 'latin1').toString('utf8'))).toEqual([]);
  for (const file of await readdir(gateway.home, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name));
    expect([file.name, ...leaksIn(bytes.toString('utf8'))]).toEqual([file.name]);
  }
});
