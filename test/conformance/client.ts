/**
 * The client the conformance suite runs: `node test/conformance/client.ts URL`, with the scenario and the
 * protocol version in the environment. It puts a gateway before the suite's server and uses the server through it, so
 * that the suite sees the gateway's side towards servers.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { n8nTools } from '../../src/n8n/own-source.ts';
import { nodesTools } from '../../src/nodes/own-source.ts';
import { startGateway } from './service.ts';

interface ToolCall {
  name: string;
  arguments?: Record<string, unknown>;
}

type Scenario = (client: Client) => Promise<void>;

/** What to do in each scenario. */
const scenarios: Record<string, Scenario> = {
  initialize: listTools,
  tools_call: calling({ name: 'add_numbers', arguments: { a: 5, b: 3 } }),
  'elicitation-sep1034-client-defaults': calling({ name: 'test_client_elicitation_defaults' }),
  'sse-retry': calling({ name: 'test_reconnection' }),
  'request-metadata': listTools,
  'sep-2322-client-request-state': calling(
    { name: 'test_mrtr_echo_state' },
    { name: 'test_mrtr_unrelated' },
    { name: 'test_mrtr_no_state' },
    { name: 'test_mrtr_no_result_type' },
  ),
  'http-standard-headers': everything,
  'http-custom-headers': (client) => calling(...context().toolCalls)(client),
  // A tool with broken header annotations must not be callable; the client library would hide it as well.
  async 'http-invalid-tool-headers'(client) {
    const { tools } = await client.request({ method: 'tools/list' }, asListed);
    const calls = tools.filter(ofTheSuite).map(({ name }) => ({ name, arguments: { region: 'us-west1' } }));
    await calling(...calls)(client);
  },
  'json-schema-ref-no-deref': listTools,
  async 'json-schema-2020-12-preservation'(client) {
    const { tools } = await client.request({ method: 'tools/list' }, asListed);
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    await calling({ name: 'json_schema_echo', arguments: { schema } })(client);
  },
};

/** Servers that require a login: signs in through the gateway's link, as often as it takes. */
const LOGINS = 3;

async function withLogins(client: Client, url: string): Promise<void> {
  for (let logins = 0; logins <= LOGINS; logins++) {
    const link = (await linkInStatus(client)) ?? (await linkInCall(client));
    if (link === undefined) return;
    await signIn(link);
    await settled(url);
  }
  throw new Error(`The server still wants a login after ${LOGINS}.`);
}

async function linkInStatus(client: Client): Promise<string | undefined> {
  const { structuredContent } = await client.callTool({ name: 'gateway_status', arguments: {} });
  const [suite] = (structuredContent as { backends: Backend[] }).backends;
  if (suite?.state === 'FAILED' && suite.login === undefined) throw new Error(suite.lastError?.message);
  return suite?.login;
}

async function linkInCall(client: Client): Promise<string | undefined> {
  const { isError, content, _meta } = await client.callTool({ name: 'test-tool', arguments: {} });
  const link = (_meta?.['sluice/error'] as { login?: string } | undefined)?.login;
  if (isError && link === undefined) throw new Error(`test-tool failed: ${JSON.stringify(content)}`);
  return isError ? link : undefined;
}

interface Backend {
  state: string;
  login?: string;
  lastError?: { message: string };
}

/** Like a browser: from page to page, with the cookies of each site. */
async function signIn(link: string): Promise<void> {
  const cookies = new Map<string, string>();
  for (let url = link; ; ) {
    const { host } = new URL(url);
    const page = await fetch(url, { redirect: 'manual', headers: { cookie: cookies.get(host) ?? '' } });
    const [cookie = ''] = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    if (cookie !== '') cookies.set(host, cookie);
    const next = page.headers.get('location');
    const text = await page.text();
    if (next === null && !page.ok) throw new Error(`Nobody could sign in: ${text}`);
    if (next === null) return;
    url = new URL(next, url).href;
  }
}

/** The gateway picks up a new login by itself. */
async function settled(url: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const response = await fetch(new URL('/api/v1/status', url));
    const { backends } = (await response.json()) as { backends: { state: string }[] };
    if (backends.every(({ state }) => state === 'RUNNING' || state === 'FAILED')) return;
    await delay(50);
  }
}

/** How the gateway is configured for a scenario, apart from the server's URL. */
function oauthOf(name: string): object {
  const { client_id: clientId, client_secret: clientSecret } = context();
  if (name === 'auth/basic-cimd')
    return { oauth: { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' } };
  if (name === 'auth/pre-registration') return { oauth: { clientId, clientSecret } };
  if (name === 'auth/client-credentials-basic')
    return { oauth: { clientId, clientSecret, grant: 'client_credentials' } };
  return {};
}

const asListed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.unknown() })) });

const others = new Set([...nodesTools, ...n8nTools].map(({ name }) => name));

/** The gateway lists its own tools beside the suite's. */
function ofTheSuite({ name }: { name: string }): boolean {
  return !name.startsWith('gateway_') && name !== 'get_events' && !others.has(name);
}

async function listTools(client: Client): Promise<void> {
  await client.listTools();
}

function calling(...calls: ToolCall[]): Scenario {
  return async (client) => {
    await client.listTools();
    for (const call of calls) {
      const { isError, content } = await client.callTool(call);
      if (isError) throw new Error(`${call.name} failed: ${JSON.stringify(content)}`);
    }
  };
}

async function everything(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  await calling(...tools.filter(ofTheSuite))(client);
  const { resources } = await client.listResources();
  for (const { uri } of resources) await client.readResource({ uri });
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts) await client.getPrompt({ name });
}

interface Context {
  toolCalls: ToolCall[];
  client_id?: string;
  client_secret?: string;
}

function context(): Context {
  return JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{"toolCalls":[]}') as Context;
}

/** Uses a server as a scenario requires. */
async function drive(url: string, scenario: Scenario, version: string): Promise<void> {
  const client = new Client(
    { name: 'sluice-conformance', version: '1.0.0' },
    {
      versionNegotiation: { mode: version >= '2026' ? { pin: version } : 'legacy' },
      capabilities: { elicitation: { form: { applyDefaults: true } } },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    await scenario(client);
  } finally {
    await client.close();
  }
}

const [serverUrl] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: name = '', MCP_CONFORMANCE_PROTOCOL_VERSION: version = '' } = process.env;
const scenario = name.startsWith('auth/') ? (client: Client) => withLogins(client, gateway.url) : scenarios[name];
if (!serverUrl || !scenario) {
  console.error(`The conformance suite runs this with a URL and one of: ${Object.keys(scenarios).join(', ')}`);
  process.exit(2);
}
await using gateway = await startGateway({ suite: { url: serverUrl, prefix: '', ...oauthOf(name) } });
try {
  await drive(gateway.url, scenario, version);
} catch (thrown) {
  console.error(`The gateway said:\n${gateway.output()}`);
  console.error(thrown);
  process.exitCode = 1;
}
