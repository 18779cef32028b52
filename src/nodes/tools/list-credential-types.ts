import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

const NAME = 'list_credential_types';

export const listCredentialTypes = nodesTool({
  name: NAME,
  title: 'List credential types',
  description:
    'Lists the credential types an n8n knows: which nodes take each, and which are generic. "node": types of that node. "query": names that contain it. "name": one type and its fields, what each holds and which are required. Never values.',
  effect: 'read',
  phrases:
    'which types of credentials exist; which credential does a node need; kinds of authentication; which login does this node want; name of the credential type for a service; oauth or api key credential types; generic credentials; which nodes accept this kind of credential; how does a node sign in; what kind of login does this node need; which credential type belongs to a service; supported authentication methods; is there a credential type for this app; technical name of a credential type; list all credential types; which nodes work with this credential type; with what can a node authenticate; credential type for a personal access token; how do i log in to this service from n8n; which auth does this node use; does n8n have bearer auth; what credential type is right for this app; login types per node; supported login methods; what sort of authentication do i need for a service; enumerate the kinds of logins; which credential fits this node; how do i authenticate against a service; does n8n support login with a certificate; name of the auth type; list auth options of a node',
  tags: ['nodes', 'credentials'],
  guidance:
    'First find the type a node needs. Then n8n_list_credentials { type } shows existing credentials, and n8n_create_credential makes a new one.',
  input: z.strictObject({
    query: name.optional().describe('Part of the name or title'),
    node: name.optional().describe('What this node takes: slack, EXTERNAL_ACTION.SLACK'),
    name: name.optional().describe('One type, with its fields: slackApi'),
    instance: instanceInput,
    limit: z.int().min(1).max(250).optional().describe('Default: what fits 8 KB'),
    cursor: z.string().optional().describe('From the last reply'),
  }),
  output: z.looseObject({
    types: z
      .array(thing)
      .describe(
        'name (the type for n8n_create_credential), title, nodes that take it, generic; with "node" required, when',
      ),
    total: z.number(),
    fields: z
      .array(thing)
      .optional()
      .describe('With "name": name, title, type, required, secret, default, options, when'),
    documentation: z.string().optional(),
    warning: z.string().optional(),
    cursor: z.string().optional(),
  }),
  examples: [
    { title: 'What Slack takes', arguments: { node: 'n8n-nodes-base.slack' } },
    { title: 'The fields of one type', arguments: { name: 'httpHeaderAuth' } },
  ],
  async run({ query, node, name, instance, limit, cursor }, { catalogues }) {
    const catalogue = catalogues.get(instance);
    const [{ nodeMeant }, { found, oneType, typesOf }] = await Promise.all([
      import('../lookup/node-meant.ts'),
      import('../credentials/types.ts'),
    ]);
    const asked = { instance, query, node, name, built: catalogue.origin.builtAt };
    const { skip } = placeIn(NAME, asked, cursor);
    const part = <T>(all: readonly T[], head: object) => {
      const rest = all.slice(skip);
      const kept = rest.slice(0, limit ?? fittingItems(rest, { ...head, cursor: 'x'.repeat(100) }));
      return {
        kept,
        next: kept.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept.length }) },
      };
    };
    if (name !== undefined) {
      const { fields, ...head } = oneType(catalogue, name);
      const { kept, next } = part(fields, head);
      return { ...head, fields: kept, ...next };
    }
    const meant = node === undefined ? undefined : nodeMeant(catalogue, node);
    const all = typesOf(catalogue, meant && (meant.description.credentials ?? []));
    const rows = query === undefined ? all : found(all, query.trim().toLowerCase());
    const head = { total: rows.length, ...(meant?.warning !== undefined && { warning: meant.warning }) };
    const { kept, next } = part(rows, head);
    return { types: kept, ...head, ...next };
  },
});
