import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { callTool, connectV1, connectV2, send, startGateway } from '../harness.ts';
import { startScripted } from '../../fixtures/scripted-server.ts';

const script = fileURLToPath(new URL('../../fixtures/leaking-server.ts', import.meta.url));
const own = 'sk-ant-canary-of-this-server';
const option = 'canary-in-an-option';
const foreign = 'canary-of-another-server';

const entry = (more: object = {}) => ({
  command: process.execPath,
  args: [script, '--api-key', option],
  env: { LEAKS: 'ANTHROPIC_API_KEY', ANTHROPIC_API_KEY: own },
  ...more,
});

const servers = {
  leaky: entry(),
  open: entry({ redactErrors: false }),
  other: { command: process.execPath, args: [script], env: { OTHER_TOKEN: foreign } },
};

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway({ mcpServers: servers });
  return () => gateway[Symbol.asyncDispose]();
});

/** Everything that a client gets for a call, whether as a result or as an error. */
async function said(tool: string, text = 'x', era: 'legacy' | 'modern' = 'legacy'): Promise<string> {
  await using client = await connectV2(gateway, { era });
  try {
    return JSON.stringify(await callTool(client, tool, { text }));
  } catch (error) {
    const { message, data } = error as Error & { data?: unknown };
    return JSON.stringify([message, data]);
  }
}

const invoked = async (name: string, text = 'x') =>
  (
    await send(gateway.mcp.replace('/mcp', '/api/v1/mcp/invoke'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: { text } }),
    })
  ).text;

describe("Sluice's own errors", () => {
  test.each(['leaky', 'open'])('what a crash of %s printed reaches nobody with its secrets', async (server) => {
    const answers = [await said(`${server}__crash`), await said(`${server}__crash`, 'x', 'modern')];
    for (const answer of [...answers, await invoked(`${server}__crash`)]) {
      expect(answer).toContain('leaking [redacted]');
      expect(answer).not.toContain(own);
      expect(answer).not.toContain(option);
    }
  });

  test('every secret of the configuration is redacted, whoever knew it', async () => {
    expect(await said('leaky__crash', foreign)).not.toContain(foreign);
  });
});

describe('errors of a server', () => {
  test.each(['legacy', 'modern'] as const)('lose the secrets that Sluice gave it: %s', async (era) => {
    for (const tool of ['leaky__fail', 'leaky__refuse']) {
      const answer = await said(tool, foreign, era);
      expect(answer).toContain(`leaking [redacted] --api-key [redacted] ${foreign}`);
      expect(answer).not.toContain(own);
    }
  });

  test('over REST, too', async () => {
    for (const tool of ['leaky__fail', 'leaky__refuse']) {
      const answer = await invoked(tool, foreign);
      expect(answer).toContain(`leaking [redacted] --api-key [redacted] ${foreign}`);
      expect(answer).not.toContain(own);
    }
  });

  test('keep them with redactErrors: false', async () => {
    for (const tool of ['open__fail', 'open__refuse']) expect(await said(tool)).toContain(`${own} --api-key ${option}`);
  });

  test('results stay unchanged', async () => {
    expect(await said('leaky__answer')).toContain(`${own} --api-key ${option}`);
  });
});

test('only the texts of an error change, not its keys', async () => {
  await using server = await startScripted('legacy', {
    'tools/list': () => ({ tools: [{ name: 'fail', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'no: content-key' }], isError: true }),
  });
  await using near = await startGateway({
    mcpServers: { far: { ...server.entry, headers: { 'X-Api-Key': 'content-key' } } },
  });
  await using client = await connectV1(near);
  expect(await callTool(client, 'far__fail', {})).toMatchObject({
    content: [{ type: 'text', text: 'no: [redacted]' }],
    isError: true,
  });
});

test('a value of one caller is redacted from the errors of its own connection', async () => {
  await using server = await startScripted('legacy', {
    'tools/list': () => ({ tools: [{ name: 'fail', inputSchema: { type: 'object' } }] }),
    'tools/call': (_, { request }) => ({
      content: [{ type: 'text', text: `you sent ${String(request.headers['x-caller-token'])}` }],
      isError: true,
    }),
  });
  await using near = await startGateway({
    mcpServers: {
      far: {
        ...server.entry,
        isolation: 'principal',
        headers: { 'X-Caller-Token': 'caller-${principal.id}-${principal.attributes.token:-nobody}' },
      },
    },
  });
  await using client = await connectV1(near);
  expect(JSON.stringify(await callTool(client, 'far__fail', {}))).toContain('you sent [redacted]');
});

test('the name of a server stays readable, although a password is the same word', async () => {
  const documents = { command: process.execPath, args: [script], env: { DB_PASSWORD: 'documents' } };
  await using near = await startGateway({ mcpServers: { documents } });
  await using client = await connectV1(near);
  expect(JSON.stringify(await callTool(client, 'documents__crash', {}))).toContain('documents: ');
});
