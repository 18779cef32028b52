import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { fieldsOf } from './fields.ts';
import { typeInput } from './inputs.ts';
import { typeSchema } from './type-schema.ts';

export const getCredentialSchema = n8nTool({
  name: 'n8n_get_credential_schema',
  title: 'Get credential schema',
  description:
    'Shows which values a credential type takes: fields, types, options, what is required. Use it before n8n_create_credential.',
  effect: 'read',
  phrases:
    'which fields does a credential need; what must i fill in for a credential type; required values of a credential; schema of a credential; what to enter to create a login; what data does this api key credential take; fields of an authentication type; what do i need to provide for this credential; which values must an api key credential have; fields for an oauth2 credential; what information is needed to create a login; parameters of a credential type; how must the credential data look; what goes into a credential; which keys must data have for a credential; what do i need to connect to a service; which details are required for this login; how do i fill in the credential; format of the credential data; mandatory fields for a login; which inputs does a credential expect; what do i type into the credential; what data to send for a new credential; which properties has a credential type; template for credential data; what do you need from me to log in to a service; how is this credential structured',
  tags: ['credentials'],
  input: { type: typeInput },
  output: z.object({
    type: z.string(),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        required: z.boolean().optional(),
        options: z.array(z.unknown()).optional(),
        required_when: z.record(z.string(), z.unknown()).optional().describe('Required with these values'),
      }),
    ),
  }),
  examples: [{ title: 'API key in a header', arguments: { type: 'httpHeaderAuth' } }],
  async run({ type }, { client }, { signal }) {
    return { type, fields: fieldsOf(await typeSchema(client, type, signal)) };
  },
});
