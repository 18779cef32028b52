/** Who may send which requests to n8n's API through the gateway. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { ask, call } from '../../support/exchange.ts';
import { type LicensedN8n, startLicensedN8n } from '../../support/licensed-n8n.ts';
import { type N8nContract, n8nContract } from '../../support/n8n-contract.ts';
import { type Json, startGateway, type TestGateway, textOf } from '../harness.ts';

const contract = await n8nContract();

describe.skipIf(!contract)('n8n_request through the gateway', () => {
  let n8n: LicensedN8n;
  let gateway: TestGateway;

  beforeAll(async () => {
    n8n = await startLicensedN8n(contract as N8nContract);
    gateway = await startGateway({
      auth: { mode: 'keys' },
      n8n: { default: { url: n8n.url, apiKey: n8n.apiKey } },
      nodes: { build: 'manual' },
      toolsets: {
        reading: { include: ['n8n_*'], readOnly: true },
        mixed: { include: ['n8n_request', 'n8n_list_users'] },
      },
    });
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await n8n[Symbol.asyncDispose]();
  });

  type Grant = { scopes: string[]; readOnly?: boolean };

  /** The headers of somebody with a key of their own. */
  async function somebody(grant: Grant): Promise<{ authorization: string }> {
    const { key } = await createKey(gateway.runtime.store.keys, {
      name: `k${crypto.randomUUID().slice(0, 8)}`,
      createdAt: new Date().toISOString(),
      createdBy: 'test',
      ...grant,
    });
    return { authorization: `Bearer ${key}` };
  }

  const asked = async (grant: Grant, tool: string, args: Json, path = '') =>
    (await call(`${gateway.mcp}${path}`, tool, args, { headers: await somebody(grant) })).result;

  const get = { path: '/users', pick: 'data.0.email' };
  const post = { method: 'POST', path: '/projects', body: { name: 'Made by request' } };
  const made = () => n8n.world.projects.some(({ name }) => name === post.body.name);
  const email = { status: 200, answer: 'owner@example.com' };

  test.each([
    ['the scope n8n:read', { scopes: ['n8n:read'] }],
    ['a read-only key', { scopes: ['tools:execute'], readOnly: true }],
    ['a key that may do everything', { scopes: ['tools:execute'] }],
  ])('%s reads without a confirmation', async (_, grant) => {
    expect((await asked(grant, 'n8n_request', get)).structuredContent).toEqual(email);
    expect((await asked(grant, 'n8n_read', { tool: 'request', params: get })).structuredContent).toEqual(email);
  });

  test.each([
    ['n8n:read', { scopes: ['n8n:read'] }, post, 'needs the scope n8n:write'],
    ['n8n:execute', { scopes: ['n8n:execute'] }, post, 'needs the scope n8n:write'],
    [
      'n8n:write',
      { scopes: ['n8n:write'] },
      { method: 'POST', path: '/executions/7/retry' },
      'needs the scope n8n:execute',
    ],
    [
      'n8n:write',
      { scopes: ['n8n:write'] },
      { method: 'POST', path: ' /executions/7/%72etry ' },
      'needs the scope n8n:execute',
    ],
    ['a read-only key', { scopes: ['tools:execute'], readOnly: true }, post, 'this key is read-only'],
  ])('%s does not suffice for a change', async (_, grant, args, words) => {
    const answer = await asked(grant, 'n8n_request', args);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(words);
    expect(made()).toBe(false);
  });

  test('a read-only toolset and the reading wrapper read, and refuse changes', async () => {
    const grant = { scopes: ['tools:execute'] };
    expect((await asked(grant, 'n8n_request', get, '/reading')).structuredContent).toEqual(email);
    expect(
      (await asked(grant, 'n8n_call', { tool: 'n8n_request', params: get }, '/reading')).structuredContent,
    ).toEqual(email);
    for (const [tool, args] of [
      ['n8n_request', post],
      ['n8n_call', { tool: 'n8n_request', params: post }],
    ] as const)
      expect(textOf(await asked(grant, tool, args, '/reading'))).toContain('this toolset is read-only');
    expect(textOf(await asked(grant, 'n8n_read', { tool: 'n8n_request', params: post }))).toBe(
      'n8n_request changes things; call it through n8n_call.',
    );
    expect(made()).toBe(false);
  });

  test('a change is confirmed, by a preview that names method, path and n8n', async () => {
    const grant = { scopes: ['n8n:write'] };
    const first = await asked(grant, 'n8n_request', post);
    expect(textOf(first)).toContain(`It sends POST /api/v1/projects to n8n (default, ${n8n.url})`);
    expect(textOf(first)).toContain('Nothing was done yet.');
    expect(made()).toBe(false);
  });

  test('the preview shows the query, too, and hides secrets in it', async () => {
    const query = { transferToFolderId: '0', token: 'hunter2' };
    const answer = await asked({ scopes: ['n8n:write'] }, 'n8n_request', {
      method: 'DELETE',
      path: '/projects/p/folders/f',
      query,
    });
    expect(textOf(answer)).toContain('{"transferToFolderId":"0","token":"[hidden]"}');
  });

  test.each([[42], [true], ['null'], ['[1'], ['text']])(
    'a body of %j is refused, and nothing is sent',
    async (body) => {
      const before = n8n.received.length;
      const answer = await asked({ scopes: ['n8n:write'] }, 'n8n_request', { ...post, body });
      expect(textOf(answer)).toContain('"body" must be a JSON object or list. Nothing was sent.');
      expect(n8n.received).toHaveLength(before);
    },
  );

  test('a confirmation is good for one request, one caller and the same arguments only', async () => {
    const headers = await somebody({ scopes: ['n8n:write'] });
    const send = async (tool: string, args: Json, by = headers, view = '') =>
      (await call(`${gateway.mcp}${view}`, tool, args, { headers: by })).result;
    const tokenIn = (answer: Json) => /"confirm": "([\w-]+)"/.exec(textOf(answer))?.[1] ?? '';
    const named = (name: string) => ({ ...post, body: { name } });
    const other = { ...named('Other'), confirm: tokenIn(await send('n8n_request', post)) };
    expect(textOf(await send('n8n_request', other))).toContain('That token is not valid for this call');
    const confirm = tokenIn(await send('n8n_call', { tool: 'request', params: post }));
    const stranger = await somebody({ scopes: ['n8n:write'] });
    expect(textOf(await send('n8n_request', { ...post, confirm }, stranger))).toContain('not valid for this call');
    expect(made()).toBe(false);
    const searched = { name: 'n8n_request', arguments: named('Once') };
    const again = tokenIn(await send('call_tool', searched, headers, '?expose=search'));
    // Wrappers and the tool itself share one confirmation.
    const once = () => send('n8n_call', { tool: 'request', params: named('Once'), confirm: again });
    expect((await once()).structuredContent).toMatchObject({ status: 201 });
    expect(textOf(await once())).toContain('That token is not valid for this call or was already used.');
    expect(n8n.world.projects.filter(({ name }) => name === 'Once')).toHaveLength(1);
  });

  test('REST asks for the same confirmation, and refuses a read-only key', async () => {
    const invoke = async (grant: Grant, body: Json) => {
      const headers = { 'content-type': 'application/json', ...(await somebody(grant)) };
      const url = new URL('/api/v1/mcp/invoke', gateway.mcp);
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
    };
    const change = { name: 'n8n_request', arguments: post };
    expect(await invoke({ scopes: ['tools:execute'] }, change)).toContain('needs confirmation');
    expect(await invoke({ scopes: ['tools:execute'], readOnly: true }, change)).toContain('this key is read-only');
    expect(made()).toBe(false);
  });

  test('no wrapper promises to read only while a tool in it can change things', async () => {
    const { key } = await createKey(gateway.runtime.store.keys, {
      name: 'lists',
      createdAt: new Date().toISOString(),
      createdBy: 'test',
      scopes: ['tools:execute'],
    });
    const listed = async (path: string) =>
      (await ask(`${gateway.mcp}${path}`, 'tools/list', {}, { headers: { authorization: `Bearer ${key}` } })).result
        .tools as { name: string; annotations?: Json }[];
    const mixed = (await listed('/mixed')).filter(({ name }) => name.startsWith('n8n_'));
    expect(mixed.map(({ name }) => name)).toEqual(['n8n_list', 'n8n_call', 'n8n_read']);
    expect(mixed.find(({ name }) => name === 'n8n_call')?.annotations?.readOnlyHint).toBeUndefined();
    const reading = (await listed('/reading')).filter(({ name }) => name.startsWith('n8n_'));
    expect(reading.map(({ name }) => name)).toEqual(['n8n_list', 'n8n_call']);
    expect(reading[1]?.annotations).toEqual({ readOnlyHint: true });
  });
});
