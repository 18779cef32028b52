import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { dataInput, typeInput } from './inputs.ts';
import { credentialSummary, credentialSummaryOf } from './summary.ts';
import { assertFits, typeSchema, withoutValues } from './type-schema.ts';

export const createCredential = n8nTool({
  name: 'n8n_create_credential',
  title: 'Create credential',
  description:
    'Creates a credential. Checks the values against its type first; no tool ever shows them. Then n8n_test_credential tells whether they work, and n8n_edit_workflow (set_credential) gives it to a node.',
  effect: 'create',
  phrases:
    'add a credential; store an api key; save a password in n8n; add a login for a service; create a new connection to an account; enter a token or secret; set up authentication for a service; connect my account; new credentials for a node; register an api token; save my account data for a service; make a credential for a service; put a secret into n8n; add username and password; new api key; give n8n access to my account; store a connection string; here is my key, put it in; connect n8n to our server with user and password; let n8n log in to my account; n8n needs access to a service; add the token i got; enter credentials for a database; authorise n8n; register a login; provide a client id and secret; i got an access token, save it; teach n8n my account; set up a login; hand n8n a key; remember this password for nodes; link my account; configure access to an api; install an api key; new oauth app credentials',
  tags: ['credentials'],
  input: {
    name: z.string().min(1).max(128).describe('Display name'),
    type: typeInput,
    data: dataInput,
    id: z
      .string()
      .regex(/^[\w-]{1,16}$/, 'has up to 16 letters, digits, _ or -')
      .optional()
      .describe('Recreates a deleted credential, so that workflows find it'),
    project: z.string().optional().describe('Project id. Default: your own'),
  },
  recorded: ['instance', 'name', 'type', 'id', 'project'],
  output: z.object({ credential: credentialSummary, note: z.string().optional() }),
  examples: [
    {
      title: 'API key in a header',
      arguments: { name: 'Billing API', type: 'httpHeaderAuth', data: { name: 'X-Api-Key', value: 'the key' } },
    },
  ],
  async run({ name, type, data, id, project }, { client }, { signal }) {
    const schema = await typeSchema(client, type, signal);
    assertFits(type, schema, data, false);
    const made = await withoutValues(
      data,
      client.credentials.create({
        name,
        type,
        data,
        ...(id !== undefined && { id }),
        ...(project !== undefined && { projectId: project }),
      }),
    );
    const properties = schema.properties as Record<string, unknown> | undefined;
    const signsIn = properties?.oauthTokenData !== undefined && data.oauthTokenData === undefined;
    return {
      credential: credentialSummaryOf(made),
      ...(signsIn &&
        data.grantType !== 'clientCredentials' && {
          note: `It is not connected yet. Open it in n8n (${client.url}) under Credentials and sign in.`,
        }),
    };
  },
});
