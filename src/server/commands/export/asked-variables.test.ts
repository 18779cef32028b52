import { expect, test } from 'vitest';
import { askedVariables } from './asked-variables.ts';

const asked = (env: Record<string, string>) => askedVariables({ env });

test('an address is in the field already, unless it holds a secret', async () => {
  expect(await asked({ N8N_URL: 'http://n8n:5678' })).toMatchObject([{ name: 'N8N_URL', preset: 'http://n8n:5678' }]);
  for (const address of ['http://me:hunter2@n8n:5678', 'http://n8n:5678/?token=hunter2']) {
    const [one] = await asked({ N8N_URL: address });
    expect(one).toMatchObject({ secret: true });
    expect(JSON.stringify(one)).not.toContain('hunter2');
  }
});

test('a key is never in the field, and what is not set is not asked for', async () => {
  const variables = await asked({ N8N_API_KEY: 'hunter2', PATH: '/bin', N8N_URL: '' });
  expect(variables).toMatchObject([{ name: 'N8N_API_KEY', secret: true }]);
  expect(JSON.stringify(variables)).not.toContain('hunter2');
});
