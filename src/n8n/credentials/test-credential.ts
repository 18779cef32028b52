import { z } from 'zod';
import { hasNoTest } from '../client/refused.ts';
import { n8nTool } from '../tool.ts';
import { existingCredential } from './existing.ts';
import { credentialIdInput } from './inputs.ts';

const LONGEST = 500;

export const testCredential = n8nTool({
  name: 'n8n_test_credential',
  title: 'Test credential',
  description:
    'Tests a credential with its service: ok, failed (with what the service said), or untestable if n8n has no test for the type.',
  effect: 'execute',
  phrases:
    'does this credential work; test an api key; is the password still valid; check a login; is the token expired; verify the connection to a service; try a credential; is my account still connected; authentication fails, is the key wrong; is this login ok; check if the api key works; verify a token; connection test of a credential; is the account still authorised; try to sign in with a credential; validate a password; why does the service reject my key; test my credentials; service says unauthorized, is our login dead; ping the service with this key; does the login still work; can n8n log in with it; try if the token is accepted; is the database password right; 401 error, check the key; did i enter the key correctly; can we reach the account; are the keys still good; is the password accepted; check credentials against the service; can i still log in; has the token expired; is the key valid; test login; is the connection ok; authentication problem; try the account',
  tags: ['credentials'],
  input: { id: credentialIdInput },
  output: z.object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    result: z.enum(['ok', 'failed', 'untestable']),
    message: z.string().optional(),
  }),
  async run({ id }, { client }, { signal }) {
    const { name, type } = await existingCredential(client, id, signal);
    const { status, message } = await client.credentials.test(id, signal);
    const about = { id, name, type };
    if (status !== 'OK' && hasNoTest(message)) {
      const hint = `n8n has no test for ${type}. Run a workflow that uses it to see whether it works.`;
      return { ...about, result: 'untestable' as const, message: hint };
    }
    const result = status === 'OK' ? ('ok' as const) : ('failed' as const);
    return { ...about, result, ...(message && { message: message.slice(0, LONGEST) }) };
  },
});
