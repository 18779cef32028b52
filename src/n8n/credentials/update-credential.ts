import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { n8nTool } from '../tool.ts';
import { existingCredential } from './existing.ts';
import { credentialIdInput, dataInput } from './inputs.ts';
import { credentialSummary, credentialSummaryOf } from './summary.ts';
import { assertFits, typeSchema, withoutValues } from './type-schema.ts';

export const updateCredential = n8nTool({
  name: 'n8n_update_credential',
  title: 'Update credential',
  description:
    'Renames a credential or changes its values. Values that you do not give stay, unless "replace". Workflows that use it have the new values at once; the old ones cannot be restored.',
  effect: 'update',
  phrases:
    'change a credential; update an api key; rotate a secret; enter a new password; rename a credential; replace the token; the key has changed; renew a login; correct the values of a credential; my password changed; put in the new api key; replace an expired token; edit a saved login; modify credential data; give a credential another name; refresh the secret; change the account behind a credential; new client secret; update stored login; key was rotated, here is the new one; the host moved, adapt the login; password expired, set another; change user name of a login; exchange the api key; correct a typo in a credential; credential should use another account; update token; renew the key; my token is different now; give the login a clearer name; set a new password; change stored key; swap an api key; update the account data; modify a login; correct credentials; renew credentials; new secret for an existing credential',
  tags: ['credentials'],
  input: {
    id: credentialIdInput,
    name: z.string().min(1).max(128).optional().describe('New name'),
    data: dataInput.optional(),
    replace: z.boolean().optional().describe('Remove all values that you do not give'),
  },
  recorded: ['instance', 'id', 'name', 'replace'],
  output: z.object({
    credential: credentialSummary,
    changed: z.array(z.string()).describe('name, and the fields whose values were given'),
  }),
  examples: [{ title: 'A new key', arguments: { id: 'R2DjclaysHbqn778', data: { value: 'the new key' } } }],
  async run({ id, name, data, replace = false }, { client }, { signal }) {
    if (name === undefined && data === undefined) {
      throw new AppError('invalid_input', 'Nothing to change: give a name, data, or both.');
    }
    const { type } = await existingCredential(client, id, signal);
    if (data) assertFits(type, await typeSchema(client, type, signal), data, !replace);
    const change = {
      ...(name !== undefined && { name }),
      ...(data && { data, ...(!replace && { isPartialData: true }) }),
    };
    const changed = await withoutValues(data ?? {}, client.credentials.update(id, change));
    return {
      credential: credentialSummaryOf(changed),
      changed: [...(name === undefined ? [] : ['name']), ...Object.keys(data ?? {})],
    };
  },
});
