/** Sluice beside n8n in one pod: no file, only variables, and an n8n that starts later and has no owner yet. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { cacheDirectory } from '../../src/host/home.ts';
import { findInstallation, type Installation } from '../../src/n8n/local/install.ts';
import { openLogFile } from '../../src/n8n/local/log-file.ts';
import { instancePlaces } from '../../src/n8n/local/places.ts';
import { type RunningN8n, runN8n } from '../../src/n8n/local/run.ts';
import { answer } from '../support/ark/agent.ts';
import { createController } from '../support/ark/controller.ts';
import { resource } from '../support/ark/schema.ts';
import { createPlace, type Place, type Started } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { agentWith, calculator, codeTool, tool } from '../support/tool-bench.ts';

const token = 'a-token-for-the-sidecar';
const owner = { email: 'owner@example.com', password: 'Owner-passw0rd' };

describe.skipIf(n8nIsMissing)('a sidecar, from its environment alone', () => {
  const stack = new AsyncDisposableStack();
  let pod: Place;
  let served: Started;
  let n8n: RunningN8n;
  let client: Client;
  let tools: string;
  let gateway: string;
  let start: () => Started;
  let ports: { port: number; brokerPort: number };

  beforeAll(async () => {
    pod = stack.use(await createPlace());
    tools = join(pod.project, 'tools');
    const port = await freePort();
    ports = { port: await freePort(), brokerPort: await freePort() };
    gateway = `http://127.0.0.1:${port}`;
    // The init container: it runs before n8n, and before Sluice.
    const wrote = await pod.run(['n8n', 'hook', '--out', join(tools, 'sluice-hook.js'), '--url', gateway]);
    if (wrote.code !== 0) throw new Error(wrote.stderr);
    start = () =>
      pod.start(['serve'], { env: { ...variables(port), TOOLS_SHARED_PATH: tools, SLUICE_BRIDGE_AI_TOOLS: '*' } });
    served = start();
    stack.defer(() => stop(served));
    await served.printed('Ready:');
  }, 60_000);
  afterAll(() => stack.disposeAsync(), 60_000);

  const variables = (port: number) => ({
    N8N_INTERNAL_URL: `http://127.0.0.1:${ports.port}`,
    N8N_OWNER_EMAIL: owner.email,
    N8N_OWNER_PASSWORD: owner.password,
    MCP_AUTH_TOKEN: token,
    ALLOWED_ORIGINS: 'https://agents.example.com',
    SLUICE_BRIDGE_APPLY: 'auto',
    SLUICE_BRIDGE_DISCOVERY: 'shared-volume',
    SLUICE_BRIDGE_POLL: '30s',
    PORT: String(port),
    LOG_LEVEL: 'info',
  });

  async function stop({ child, finished }: Started): Promise<void> {
    child.kill('SIGTERM');
    await finished;
  }

  async function connect(url: string): Promise<Client> {
    const made = new Client({ name: 'agent', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    await made.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    stack.defer(() => made.close());
    return made;
  }

  const namesOf = async (of: Client) => (await of.listTools()).tools.map(({ name }) => name);

  const status = async () => {
    const answer = await fetch(`${gateway}/api/v1/status`, { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as { parts: { name: string; state: string; detail?: string }[] };
  };
  const part = async (name: string) => (await status()).parts.find((one) => one.name === name);
  const listed = async () => (await client.listTools()).tools;

  async function startN8n(): Promise<void> {
    const places = instancePlaces(pod.home, 'pod');
    await mkdir(places.data, { recursive: true });
    const stopping = new AbortController();
    n8n = await runN8n({
      installation: (await findInstallation({ cache: cacheDirectory(process.env), env: {} })) as Installation,
      places,
      record: { encryptionKey: 'for-this-test-only', ...owner },
      ports,
      env: process.env,
      postgres: false,
      extra: { TOOLS_SHARED_PATH: tools },
      hooks: join(tools, 'sluice-hook.js'),
      log: openLogFile(places.log),
      signal: stopping.signal,
    });
    stack.defer(() => n8n.stop());
    await n8n.ready;
  }

  test('is ready while n8n is not there, and says what it waits for', async () => {
    expect((await fetch(`${gateway}/health`)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${gateway}/ready`)).status, { timeout: 20_000 }).toBe(200);
    expect((await fetch(`${gateway}/mcp`, { method: 'POST' })).status).toBe(401);
    const refused = await fetch(`${gateway}/mcp`, {
      method: 'POST',
      headers: { origin: 'https://evil.example.com', authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(403);
    expect((await part('n8n default'))?.detail).toMatch(
      /has no API key\. Sluice cannot make an API key yet: n8n does not/,
    );
    expect((await part('shared tools file'))?.detail).toContain(join(tools, 'n8n-tools.json'));
  }, 30_000);

  test(
    'makes the owner and a key in an n8n that has neither',
    async () => {
      await startN8n();
      await expect.poll(() => part('n8n default'), { timeout: 60_000 }).toMatchObject({ state: 'ready' });
      const made = await pod.run(['events', '--type', 'n8n.key_made', '--json']);
      expect(made.stdout.trim().split('\n')).toHaveLength(1);
    },
    N8N_START_MS,
  );

  test('lists what n8n shares, with schemas, and calls it through n8n', async () => {
    client = await connect(gateway);
    const cookie = await signIn();
    const { nodes, connections } = agentWith([
      calculator(),
      codeTool('reverse', 'return query.text.split("").reverse().join("")'),
      tool('next week', 'n8n-nodes-base.dateTimeTool', 2, {
        operation: 'addToDate',
        magnitude: "={{ $fromAI('date', 'a date', 'string') }}",
        duration: 7,
        options: {},
      }),
    ]);
    const body = { name: 'Support agent', nodes, connections, settings: { executionOrder: 'v1' }, id: randomUUID() };
    const saved = await fetch(`${n8n.url}/rest/workflows`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(saved.status).toBe(200);
    await expect
      .poll(() => namesOf(client), { timeout: 30_000 })
      .toEqual(
        expect.arrayContaining(['support_agent__Calculator', 'support_agent__reverse', 'support_agent__next_week']),
      );
    const answer = await client.callTool({ name: 'support_agent__Calculator', arguments: { input: '25 * 42' } });
    expect(JSON.stringify(answer.content)).toContain('1050');

    // The schemas that the hook read from parameters are those that n8n itself lists.
    const shared = JSON.parse(await readFile(join(tools, 'n8n-tools.json'), 'utf8')) as SharedFile;
    const bySlug = new Map((await listed()).map((one) => [one.name, one.inputSchema]));
    const support = shared.workflows.find(({ name }) => name === 'Support agent');
    expect(support?.tools).toHaveLength(3);
    const typesIn = ({ properties = {} }: { properties?: object | undefined }) =>
      Object.entries(properties as Record<string, { type: string }>).map(([key, { type }]) => [key, type]);
    for (const { name, inputSchema } of support?.tools ?? [])
      expect(typesIn(inputSchema)).toEqual(typesIn(bySlug.get(`support_agent__${name}`) ?? {}));
  }, 60_000);

  test('answers "What is 25 * 42?", asked by an agent of ARK', async () => {
    const asked = ['--agent', 'calculator', '--tools', '*Calculator', '--query', 'What is 25 * 42?'];
    const made = await pod.run(['export', 'ark', '--url', gateway, ...asked]);
    expect(made.stdout + made.stderr).not.toContain(token);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('create secret generic mcp-auth-token') });
    const [server, agent, query] = parseAllDocuments(made.stdout).map((one) => resource.parse(one.toJS()));
    if (server?.kind !== 'MCPServer' || agent?.kind !== 'Agent' || query?.kind !== 'Query')
      throw new Error(made.stdout);
    expect(agent.spec.tools).toEqual([{ type: 'mcp', name: 'sluice-support-agent--calculator' }]);

    using ark = createController({ server, secrets: { 'mcp-auth-token': { token } } });
    await ark.poll();
    expect(ark.available()).toMatchObject({ status: 'True', reason: 'Authorized' });
    expect(await answer(ark, agent, query)).toBe('1050');

    // Without the Secret, ARK has no token, and no tools.
    using without = createController({ server });
    await without.poll();
    expect(without.available()).toMatchObject({ status: 'False', reason: 'AuthorizationDiscoveryFailed' });
    await expect(answer(without, agent, query)).rejects.toThrow('failed to get tool sluice-support-agent--calculator');
  }, 30_000);

  test('takes a list of tools without workflows, and finds each in n8n', async () => {
    const other = stack.use(await createPlace());
    const list = [
      {
        name: 'calculator',
        description: 'Perform calculations',
        inputSchema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
      },
      { name: 'unknown' },
    ];
    await writeFile(join(other.project, 'n8n-tools.json'), JSON.stringify(list));
    const port = await freePort();
    const env = { ...variables(port), TOOLS_SHARED_PATH: other.project };
    const second = other.start(['serve'], { env });
    stack.defer(() => stop(second));
    await second.printed('Ready:');
    const agent = await connect(`http://127.0.0.1:${port}`);
    await expect.poll(() => namesOf(agent), { timeout: 30_000 }).toContain('shared__calculator');
    const call = (name: string) => agent.callTool({ name, arguments: { expression: '25 * 42' } });
    await expect
      .poll(async () => JSON.stringify(await call('shared__calculator')), { timeout: 30_000 })
      .toContain('1050');
    expect(await namesOf(agent)).not.toContain('support_agent__Calculator');
    expect(JSON.stringify(await call('shared__unknown'))).toContain('has no AI tool called unknown');
  }, 60_000);

  test('with a wrong password of the owner, is ready and says so', async () => {
    const other = stack.use(await createPlace());
    const port = await freePort();
    const wrong = other.start(['serve'], { env: { ...variables(port), N8N_OWNER_PASSWORD: 'Wrong-passw0rd' } });
    stack.defer(() => stop(wrong));
    await wrong.printed('Ready:');
    await wrong.printed(/does not accept the owner's email and password/);
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  }, 30_000);

  test(
    'keeps its tools and its key when the pod is started again, and n8n comes late',
    async () => {
      await n8n.stop();
      await stop(served);
      served = start();
      await served.printed('Ready:');
      const again = await connect(gateway);
      expect(await namesOf(again)).toContain('support_agent__Calculator');
      await startN8n();
      await expect
        .poll(
          async () =>
            JSON.stringify(await again.callTool({ name: 'support_agent__Calculator', arguments: { input: '6 * 7' } })),
          { timeout: 60_000 },
        )
        .toContain('42');
      const made = await pod.run(['events', '--type', 'n8n.key_made', '--json']);
      expect(made.stdout.trim().split('\n')).toHaveLength(1);
    },
    N8N_START_MS,
  );

  test('says the secrets nowhere', async () => {
    await stop(served);
    const { stdout, stderr } = await served.finished;
    for (const secret of [token, owner.password]) expect(stdout + stderr).not.toContain(secret);
    expect(stdout + stderr).not.toMatch(/eyJ[\w-]{20}/);
  });

  async function signIn(): Promise<string> {
    const answer = await fetch(`${n8n.url}/rest/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
    });
    if (answer.status !== 200) throw new Error(`n8n answered ${answer.status} to the login`);
    return answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  }
});

interface SharedFile {
  workflows: { name: string; tools: { name: string; inputSchema: { properties: object } }[] }[];
}
