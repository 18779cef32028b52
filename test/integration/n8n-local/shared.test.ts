import { beforeAll, describe, expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { postgresIsMissing } from '../../support/postgres.ts';

const api = ({ url, apiKey }: TestN8n, path: string) =>
  fetch(`${url}/api/v1${path}`, { headers: { 'x-n8n-api-key': apiKey } });

describe.each([
  ['sqlite', n8nIsMissing],
  ['postgres', n8nIsMissing ?? postgresIsMissing],
] as const)('the shared n8n on %s', (database, missing) => {
  describe.skipIf(missing)(`(skipped where ${missing ?? 'it is missing'})`, () => {
    let n8n: TestN8n;
    beforeAll(async () => {
      n8n = await startN8n({ database });
    }, N8N_START_MS);

    test('accepts the key, which has all rights of the owner', async () => {
      expect((await api(n8n, '/workflows')).status).toBe(200);
      const users = await api(n8n, '/users');
      expect(await users.json()).toMatchObject({ data: [{ email: n8n.owner.email }] });
    });

    test('accepts the login of the owner', async () => {
      const body = JSON.stringify({ emailOrLdapLoginId: n8n.owner.email, password: n8n.owner.password });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${n8n.url}/rest/login`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    });

    test('is shared by everyone who starts it', async () => {
      const again = await Promise.all([startN8n({ database }), startN8n({ database })]);
      expect(again.map(({ url }) => url)).toEqual([n8n.url, n8n.url]);
    });
  });
});
