import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { existingCredential } from './existing.ts';
import { credentialIdInput } from './inputs.ts';
import { credentialSummary, credentialSummaryOf } from './summary.ts';

export const getCredential = n8nTool({
  name: 'n8n_get_credential',
  title: 'Get credential',
  description:
    'Shows name, type and times of one credential, never its values. n8n_test_credential tells whether they work.',
  effect: 'read',
  phrases:
    'show one credential; details of a credential; what type is this credential; when was a login created or changed; look at a stored secret; name and type of an api key; information about a credential; what kind of credential is this; look up a credential by id; when did we last change this api key; info about a login; which type has the saved account; read one credential without its values; is this credential an oauth one; when did we create this login; tell me about this credential; metadata of an api key; what is behind this credential id; who owns the credential; what do you know about this login; info on a key; show the entry of a credential; created and updated times of a credential; check the name of a credential; one login in detail',
  tags: ['credentials'],
  input: { id: credentialIdInput },
  output: z.object({ credential: credentialSummary }),
  async run({ id }, { client }, { signal }) {
    return { credential: credentialSummaryOf(await existingCredential(client, id, signal)) };
  },
});
