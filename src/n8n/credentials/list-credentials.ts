import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { knownCredentials } from './known-credentials.ts';
import { credentialSummary, credentialSummaryOf } from './summary.ts';

const NAME = 'n8n_list_credentials';

export const listCredentials = n8nTool({
  name: NAME,
  title: 'List credentials',
  description:
    'Lists the credentials of an n8n with id, name and type, never values. Filter by type or name. n8n_get_dependencies shows which workflows use one.',
  effect: 'read',
  phrases:
    'list credentials; show all logins; which api keys are stored; which secrets does n8n have; my saved passwords and tokens; is there a credential for this service; accounts connected to n8n; id of a credential; which accounts are connected; show stored api keys; names of all credentials; what credentials do i have; do we have a login for this app; saved tokens; overview of secrets; find a credential by name; credentials of one type; what accounts have been set up; do we have something saved for this service; is there already a key for it; which logins are in n8n; show me the secrets without values; list api tokens; what services are we signed in to; available credentials to use in a node; which services can n8n sign in to; enumerate secrets; stored accounts; what logins are there; show credentials by type; which keys exist; look for a credential; do i have an account saved; connections that are set up',
  tags: ['credentials'],
  input: {
    type: z.string().min(1).max(128).optional().describe('Part of the type, ignoring case'),
    name: z.string().min(1).max(128).optional().describe('Part of the name, ignoring case'),
    limit: z.int().min(1).max(250).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same filters'),
  },
  output: z.object({
    credentials: z.array(credentialSummary),
    total: z.number().describe('How many match the filters'),
    source: z.enum(['n8n', 'database', 'workflows']).describe('Where from; workflows know only those in use'),
    note: z.string().optional(),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [{ title: 'Slack credentials', arguments: { type: 'slack' } }],
  async run({ limit, cursor, ...filter }, { client }, { signal }) {
    const asked = { instance: client.name, ...filter };
    const { skip } = placeIn(NAME, asked, cursor);
    const { credentials, source, note } = await knownCredentials(client, signal);
    const has = (text: string, part: string | undefined) =>
      part === undefined || text.toLowerCase().includes(part.toLowerCase());
    const fitting = credentials.filter(({ name, type }) => has(name, filter.name) && has(type, filter.type));
    const rest = fitting.slice(skip).map(credentialSummaryOf);
    const head = { total: fitting.length, source, ...(note !== undefined && { note }) };
    const shown = rest.slice(0, limit ?? fittingItems(rest, head));
    return {
      credentials: shown,
      ...head,
      ...(shown.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + shown.length }) }),
    };
  },
});
