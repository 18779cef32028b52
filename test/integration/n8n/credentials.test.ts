import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { credentialTools } from '../../../src/n8n/credentials/tools.ts';
import { findTools } from '../../../src/n8n/find/tools.ts';
import type { CredentialSummary } from '../../../src/n8n/credentials/summary.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

const SECRET = 'hunter2-hunter2';

describe.skipIf(n8nIsMissing)('the tools for credentials, on a real n8n', () => {
  let bench: Workbench;
  let reached: Reached;
  const made: string[] = [];

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...credentialTools, ...findTools], reached);
  }, N8N_START_MS);

  afterAll(async () => {
    for (const id of made) await bench.client.credentials.delete(id).catch(() => {});
    await bench[Symbol.asyncDispose]();
  });

  async function header(name: string): Promise<CredentialSummary> {
    const { credential } = await bench.call<{ credential: CredentialSummary }>('n8n_create_credential', {
      name: bench.name(name),
      type: 'httpHeaderAuth',
      data: { name: 'X-Key', value: SECRET },
    });
    made.push(credential.id);
    return credential;
  }

  async function workflowWith(credential: CredentialSummary, name: string): Promise<string> {
    const { id } = await bench.client.workflows.create({
      name: bench.name(name),
      nodes: [
        {
          id: 'n1',
          name: 'Ask',
          type: 'n8n-nodes-base.httpRequest',
          typeVersion: 4.2,
          position: [0, 0],
          parameters: { url: 'http://127.0.0.1:9', authentication: 'genericCredentialType' },
          credentials: { [credential.type]: { id: credential.id, name: credential.name } },
        },
      ],
      connections: {},
      settings: {},
    });
    return id;
  }

  it('shows the fields of a type, and suggests the nearest type for an unknown one', async () => {
    const { fields } = await bench.call('n8n_get_credential_schema', { type: 'httpHeaderAuth' });
    expect(fields).toContainEqual({ name: 'value', type: 'string' });
    await expect(bench.call('n8n_get_credential_schema', { type: 'httpHeadrAuth' })).rejects.toThrow(/httpHeaderAuth/);
  });

  it('creates one, lists it, and shows it without its values', async () => {
    const { id, name } = await header('a');
    const listed = await bench.call('n8n_list_credentials', { name, type: 'headerauth' });
    expect(listed).toMatchObject({ total: 1, source: 'n8n', credentials: [{ id, name, type: 'httpHeaderAuth' }] });
    const shown = await bench.call('n8n_get_credential', { id });
    expect(shown).toMatchObject({ credential: { id, name } });
    expect(JSON.stringify([listed, shown])).not.toContain(SECRET);
  });

  it('pages through a list, and refuses the cursor of another list', async () => {
    await header('p1');
    await header('p2');
    const filter = { name: bench.name('p') };
    const first = await bench.call<{ cursor: string; credentials: unknown[] }>('n8n_list_credentials', {
      ...filter,
      limit: 1,
    });
    const second = await bench.call('n8n_list_credentials', { ...filter, limit: 1, cursor: first.cursor });
    expect(second.credentials).not.toEqual(first.credentials);
    expect(second.cursor).toBeUndefined();
    await expect(bench.call('n8n_list_credentials', { name: 'x', cursor: first.cursor })).rejects.toThrow(/cursor/);
  });

  it('refuses values that do not fit, naming fields and never values', async () => {
    const wrong = bench.call('n8n_create_credential', {
      name: bench.name('wrong'),
      type: 'httpHeaderAuth',
      data: { name: 5, valeu: SECRET },
    });
    await expect(wrong).rejects.toThrow(/name must be a string; unknown field valeu \(Did you mean value\?\)/);
    await expect(wrong).rejects.not.toThrow(new RegExp(SECRET));
    expect(await bench.call('n8n_list_credentials', { name: bench.name('wrong') })).toMatchObject({ total: 0 });
  });

  it('says that an OAuth credential still has to be connected', async () => {
    const { credential, note } = await bench.call<{ credential: CredentialSummary; note: string }>(
      'n8n_create_credential',
      { name: bench.name('oauth'), type: 'slackOAuth2Api', data: { clientId: 'a', clientSecret: SECRET } },
    );
    made.push(credential.id);
    expect(note).toContain('connected');
  });

  it('changes one value and keeps the others', async () => {
    const { id } = await header('update');
    const done = await bench.call('n8n_update_credential', { id, name: bench.name('new'), data: { value: 'other' } });
    expect(done).toMatchObject({ credential: { name: bench.name('new') }, changed: ['name', 'value'] });
    await expect(bench.call('n8n_update_credential', { id, data: { nope: 'x' } })).rejects.toThrow(
      /unknown field nope/,
    );
    await expect(bench.call('n8n_update_credential', { id })).rejects.toThrow(/Nothing to change/);
  });

  it('is untestable if n8n has no test for its type', async () => {
    const { id } = await header('untestable');
    expect(await bench.call('n8n_test_credential', { id })).toMatchObject({ result: 'untestable' });
  });

  describe('a test against a service', () => {
    let service: Server;
    let url: string;

    beforeAll(async () => {
      service = createServer((request, response) => {
        const good = request.headers.authorization === `Bearer ${SECRET}`;
        response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' }).end('{"data":[],"object":"list"}');
      });
      await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    });

    afterAll(() => service.close());

    it.each([
      ['ok', SECRET],
      ['failed', 'not-the-secret'],
    ])('is %s for the right or the wrong key', async (result, apiKey) => {
      const { credential } = await bench.call<{ credential: CredentialSummary }>('n8n_create_credential', {
        name: bench.name(result),
        type: 'openAiApi',
        data: { apiKey, url },
      });
      made.push(credential.id);
      const tested = await bench.call('n8n_test_credential', { id: credential.id });
      expect(tested).toMatchObject({ result });
      expect(JSON.stringify(tested)).not.toContain(apiKey);
    });
  });

  it('shows which workflows use one, and which credentials are unused', async () => {
    const credential = await header('used');
    const id = await workflowWith(credential, 'user');
    const used = await bench.call('n8n_get_dependencies', { credential: credential.id });
    expect(used).toMatchObject({ counts: { used_by: 1 }, used_by: [{ id, node: 'Ask', active: false }] });
    const unused = await header('unused');
    expect(await bench.call('n8n_get_dependencies', { credential: unused.id })).toMatchObject({
      of: { kind: 'credential', id: unused.id, name: unused.name },
      used_by: [],
    });
    const { credentials } = await bench.call<{ credentials: { id: string; workflows: number }[] }>(
      'n8n_get_dependencies',
      { credentials: true, limit: 250 },
    );
    expect(credentials.find((one) => one.id === unused.id)).toMatchObject({ workflows: 0 });
    expect(credentials.find((one) => one.id === credential.id)).toMatchObject({ workflows: 1 });
  });

  it('does not delete one that is in use, except with force', async () => {
    const credential = await header('precious');
    const id = await workflowWith(credential, 'needs it');
    await expect(bench.call('n8n_delete_credential', { id: credential.id })).rejects.toThrow(new RegExp(id));
    expect((await bench.client.credentials.get(credential.id)).id).toBe(credential.id);
    const forced = await bench.call('n8n_delete_credential', { id: credential.id, force: true });
    expect(forced).toMatchObject({ deleted: { id: credential.id }, users: [expect.stringContaining(id)] });
    await expect(bench.client.credentials.get(credential.id)).rejects.toThrow(/not found/i);
    const missing = await bench.call<{ credentials: unknown[] }>('n8n_get_dependencies', {
      credentials: true,
      limit: 250,
    });
    expect(missing.credentials).toContainEqual(expect.objectContaining({ id: credential.id, missing: true }));
  });

  it('creates one again under its old id', async () => {
    const { id } = await header('again');
    await bench.call('n8n_delete_credential', { id });
    const { credential } = await bench.call<{ credential: CredentialSummary }>('n8n_create_credential', {
      id,
      name: bench.name('again'),
      type: 'httpHeaderAuth',
      data: { name: 'X-Key', value: SECRET },
    });
    expect(credential.id).toBe(id);
  });

  it('suggests the nearest for an unknown id or name', async () => {
    const { id, name } = await header('nearest');
    await expect(bench.call('n8n_get_credential', { id: name })).rejects.toThrow(new RegExp(id));
    await expect(bench.call('n8n_delete_credential', { id: 'nothing-like-it-at-all' })).rejects.toThrow(
      /n8n_list_credentials/,
    );
  });

  describe.skipIf(process.env.N8N_TEST_URL !== undefined && process.env.N8N_TEST_EMAIL === undefined)(
    'with a key that may not list credentials',
    () => {
      it('lists those that workflows use, and says so', async () => {
        const credential = await header('parsed');
        await workflowWith(credential, 'parsed');
        await using key = await limitedKey(reached, ['workflow:list', 'workflow:read']);
        const few = await openWorkbench(credentialTools, { url: reached.url, apiKey: key.apiKey });
        const listed = await few.call('n8n_list_credentials', { name: credential.name });
        expect(listed).toMatchObject({ source: 'workflows', credentials: [{ id: credential.id }] });
        expect(listed.note).toContain('credential:list');
        expect(await few.call('n8n_get_credential', { id: credential.id })).toMatchObject({
          credential: { name: credential.name },
        });
        await expect(few.call('n8n_delete_credential', { id: credential.id })).rejects.toThrow(/is used by/);
      });

      it('names the missing scope if the key may read nothing', async () => {
        await using key = await limitedKey(reached, ['tag:list']);
        const none = await openWorkbench(credentialTools, { url: reached.url, apiKey: key.apiKey });
        await expect(none.call('n8n_list_credentials')).rejects.toThrow(/scope/);
      });
    },
  );
});
