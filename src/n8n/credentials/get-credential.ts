import { z } from 'zod';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { existingCredential } from './existing.ts';
import { credentialIdInput } from './inputs.ts';
import { credentialSummary, credentialSummaryOf } from './summary.ts';

export const getCredential = n8nTool({
  name: 'n8n_get_credential',
  title: 'Get credential',
  description:
    'Shows name, type and times of one credential. Its values never come back: n8n_test_credential tells whether they work.',
  effect: 'read',
  scope: 'n8n:read',
  category: 'n8n',
  tags: ['credentials'],
  input: z.strictObject({ instance: instanceInput, id: credentialIdInput }),
  output: z.object({ credential: credentialSummary }),
  async run({ instance, id }, { instances }, { signal }) {
    return { credential: credentialSummaryOf(await existingCredential(instances.get(instance), id, signal)) };
  },
});
