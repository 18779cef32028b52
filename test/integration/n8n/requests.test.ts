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

  async function asked(grant: { scopes: string[]; readOnly?: boolean }, tool: string, args: Json, path = '') {
    const { key } = await createKey(gateway.runtime.store.keys, {
      name: `k${crypto.randomUUID().slice(0, 8)}`,
      createdAt: new Date().toISOString(),
      createdBy: 'test',
      ...grant,
    });
    return (await call(`${gateway.mcp}${path}`, tool, args, { headers: { authorization: `Bearer ${key}` } })).result;
  }

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
