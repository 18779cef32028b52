import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scratch } from '../../support/processes.ts';
import { callTool, connectV1, connectV2, type Json, startGateway, type TestGateway } from '../harness.ts';

type Client = Awaited<ReturnType<typeof connectV2>>;

const inputSchema = { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] };
const workflow = (...tools: Json[]) => ({ id: 'w1', name: 'Support agent', tags: ['mcp'], tools });

/** The tools that are listed while the gateway knows n8n only from the shared file. */
describe('tools of the shared file, while n8n cannot be reached', () => {
  let directory: string;
  let gateway: TestGateway;
  let client: Client;
  const notices: number[] = [];

  const share = (...workflows: Json[]) =>
    writeFile(join(directory, 'n8n-tools.json'), JSON.stringify({ version: 1, workflows }));
  const listed = async () =>
    ((await client.listTools()).tools as Json[]).filter(({ name }) => String(name).includes('__'));
  const names = async () => (await listed()).map(({ name }) => String(name)).sort();
  const becomes = (wanted: unknown) => vi.waitFor(async () => expect(await names()).toEqual(wanted), 5000);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-shared-'));
    await share(workflow({ name: 'calculator', description: 'Works out sums', inputSchema }));
    gateway = await startGateway(
      {
        // Nothing listens on that port.
        n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'a-key' } },
        bridge: { apply: 'auto', discovery: 'file', poll: '1h', workflows: { exclude: ['Secret*'] } },
      },
      { env: { TOOLS_SHARED_PATH: directory } },
    );
    client = await connectV2(gateway);
    client.setNotificationHandler('notifications/tools/list_changed', () => void notices.push(Date.now()));
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  test('are listed with the name, description and schema from the file', async () => {
    await becomes(['support_agent__calculator']);
    expect((await listed())[0]).toMatchObject({ description: 'Works out sums', inputSchema });
  });

  test('say what is missing when they are called', async () => {
    const answer = (await callTool(client, 'support_agent__calculator', { expression: '2*3' })) as {
      isError?: boolean;
      content: { text: string }[];
      _meta?: Json;
    };
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(
      /was not called: so far it is known only from the shared file, and n8n cannot be reached: /,
    );
    expect(answer._meta).toMatchObject({ 'sluice/error': { code: 'unavailable', retryable: true } });
  });

  test('follow the file within a second, and clients are notified', async () => {
    const began = Date.now();
    await share(
      workflow({ name: 'calculator' }, { name: 'Web Search' }, { name: 'off', disabled: true }),
      { ...workflow({ name: 'other' }), id: 'w2', name: 'Nobody chose it', tags: [] },
      { ...workflow({ name: 'other' }), id: 'w3', name: 'Secret agent' },
      { ...workflow({ name: 'other' }), id: 'w4', name: 'Old agent', isArchived: true },
    );
    await becomes(['support_agent__Web_Search', 'support_agent__calculator']);
    await vi.waitFor(() => expect(notices.some((at) => at >= began)).toBe(true), 10_000);
    expect((notices.find((at) => at >= began) as number) - began).toBeLessThan(5000);
  });

  test('stay unchanged if the file is invalid, and an event and the status report it', async () => {
    const before = await names();
    await writeFile(join(directory, 'n8n-tools.json'), '{"version":1,"workflows":[');
    await vi.waitFor(async () => {
      const { events } = await gateway.stored({ type: 'bridge.file_rejected' });
      expect(events[0]?.data).toMatchObject({ file: join(directory, 'n8n-tools.json'), reason: 'it is not JSON' });
    }, 5000);
    expect(await names()).toEqual(before);
    const status = (await callTool(client, 'bridge_status', {})) as { structuredContent: Json };
    expect(status.structuredContent.file).toMatchObject({ state: 'rejected', reason: 'it is not JSON' });
  });

  test('may be a list without workflows, and are then listed under names of their own', async () => {
    const list = [{ name: 'calculator', description: 'Works out sums', schema: inputSchema }, { name: 'Web Search' }];
    await writeFile(join(directory, 'n8n-tools.json'), JSON.stringify(list));
    await becomes(['shared__Web_Search', 'shared__calculator']);
    const shown = (await listed()).find(({ name }) => name === 'shared__calculator');
    expect(shown).toMatchObject({ description: 'Works out sums', inputSchema });
    const answer = await callTool(client, 'shared__calculator', { expression: '2*3' });
    expect(answer).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/known only from the shared file, and n8n cannot be reached: /) as string },
      ],
    });
  });

  test('refuse arguments that their own schema does not allow, before n8n is asked', async () => {
    const strict = {
      type: 'object',
      properties: { expression: { type: 'string', maxLength: 20 }, mode: { enum: ['exact', 'rounded'] } },
      required: ['expression'],
    };
    await writeFile(
      join(directory, 'n8n-tools.json'),
      JSON.stringify([
        { name: 'calculator', inputSchema: strict },
        { name: 'search', inputSchema },
      ]),
    );
    await becomes(['shared__calculator', 'shared__search']);
    const said = async (tool: string, args: Json) => {
      const answer = await callTool(client, tool, args);
      const { content, _meta = {} } = answer as { content: { text: string }[]; _meta?: Json };
      const { code } = _meta['sluice/error'] as { code: string };
      return [code, content[0]?.text];
    };
    const refused = (text: string) => [
      'invalid_input',
      expect.stringContaining(`shared__calculator was not called: ${text}`),
    ];
    expect(await said('shared__calculator', {})).toEqual(refused('expression is missing'));
    expect(await said('shared__calculator', { expression: '1+'.repeat(20) })).toEqual(refused('expression: '));
    expect(await said('shared__calculator', { expression: '1', mode: 'loose' })).toEqual(refused('mode: '));
    // With a single parameter, a text of another name is meant for it.
    expect((await said('shared__search', { query: '2*3' }))[0]).toBe('unavailable');
  });

  test('do not break the list of a client, whatever their schemas and names', async () => {
    const odd = [
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'zod', schema: { _def: { typeName: 'ZodObject' } } },
      { name: 'half', inputSchema: { properties: 5, required: 'all' } },
      { name: '😀'.repeat(60) },
      { name: '__proto__' },
      ...['same', 'Same', 'sa me', 'sa_me', 'sa-me'].map((name) => ({ name, workflow: name })),
    ];
    await share({ ...workflow(...odd, ...odd.map(({ name }) => ({ name }))) });
    await becomes(expect.arrayContaining(['support_agent__text', 'support_agent__half']));
    await writeFile(join(directory, 'n8n-tools.json'), JSON.stringify(odd));
    await becomes(expect.arrayContaining(['shared__text', 'shared__zod', 'shared__sa_me']));
    const all = await names();
    expect(new Set(all.map((name) => name.toLowerCase().replaceAll('_', '-'))).size).toBe(all.length);
    await using older = await connectV1(gateway);
    expect((await older.listTools()).tools.map(({ name }) => name)).toEqual(expect.arrayContaining(all));
    for (const { inputSchema: schema } of await listed()) expect(schema).toMatchObject({ type: 'object' });
  });

  test('disappear when the file no longer lists them', async () => {
    await share(workflow());
    await vi.waitFor(async () => expect(await names()).toEqual([]), 5000);
  });

  test('are listed from a file that the configuration names later, too', async () => {
    await share(workflow({ name: 'calculator' }));
    const config = { n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'a-key' } }, bridge: { apply: 'auto' } };
    await using other = await startGateway(config);
    await other.reload({ ...config, bridge: { ...config.bridge, sharedFile: directory } });
    await using reader = await connectV2(other);
    const all = async () => (await reader.listTools()).tools.map(({ name }) => name);
    await vi.waitFor(async () => expect(await all()).toContain('support_agent__calculator'), 5000);
  });
});

describe('the event about the shared file says what is missing before its tools can be used', () => {
  const away = { url: 'http://127.0.0.1:9' };
  const key = { ...away, apiKey: 'a-key' };
  const owner = { ...away, owner: { email: 'me@example.com', password: 'Some-passw0rd' } };
  const consent =
    'Sluice may not generate workflows in n8n yet: run `sluice bridge apply`, or set SLUICE_BRIDGE_APPLY=auto.';

  test.each<[string, Json, Json, string | RegExp | undefined]>([
    [
      'a key',
      away,
      { apply: 'auto' },
      /^http:\/\/127.0.0.1:9 has no API key\. Create one .* N8N_OWNER_PASSWORD.*one\.$/,
    ],
    ['consent', key, {}, consent],
    ['both', away, {}, /has no API key\. Create one .*Sluice may not generate workflows/],
    ['a key that comes', owner, { apply: 'auto' }, /^http:\/\/127.0.0.1:9 has no API key\. Sluice .* API key/],
    ['nothing', key, { apply: 'auto' }, undefined],
  ])('%s', async (_, n8n, bridge, lacks) => {
    await using place = await scratch();
    await writeFile(join(place.directory, 'n8n-tools.json'), JSON.stringify([{ name: 'calculator' }]));
    await using gateway = await startGateway(
      { n8n: { default: n8n }, bridge: { ...bridge, sharedFile: place.directory } },
      { settle: false },
    );
    const told = async () => (await gateway.stored({ type: 'bridge.file_accepted' })).events.map(({ data }) => data);
    await expect.poll(told).toHaveLength(1);
    const { registry } = gateway.runtime.apis.gateway;
    await expect.poll(() => registry.find('shared__calculator') !== undefined).toBe('apply' in bridge);
    const file = join(place.directory, 'n8n-tools.json');
    expect(await told()).toEqual([
      {
        file,
        workflows: 0,
        tools: 1,
        ...(lacks && { lacks: typeof lacks === 'string' ? lacks : expect.stringMatching(lacks) }),
      },
    ]);
  });

  test('an n8n of that name', async () => {
    await using place = await scratch();
    const content = { version: 1, instance: 'other', workflows: [] };
    await writeFile(join(place.directory, 'n8n-tools.json'), JSON.stringify(content));
    await using gateway = await startGateway(
      { n8n: { default: key }, bridge: { apply: 'auto', sharedFile: place.directory } },
      { settle: false },
    );
    const told = async () =>
      (await gateway.stored({ type: 'bridge.file_accepted' })).events.map(({ data }) => data.lacks);
    await expect.poll(told).toEqual(['No n8n is called "other" in the configuration. Correct "instance" in the file.']);
  });
});
