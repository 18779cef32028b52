import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import type { N8nClient } from '../client/client.ts';
import { n8nTool } from '../tool.ts';
import { existingCredential } from './existing.ts';
import { credentialIdInput } from './inputs.ts';
import { knownCredentials } from './known-credentials.ts';
import type { User } from './references.ts';
import { countUses, usersOf } from './usage.ts';

const NAME = 'n8n_credential_usage';
const MOST_NODES = 10;

const user = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  archived: z.boolean().optional(),
  nodes: z.array(z.string()),
  moreNodes: z.number().optional().describe('Nodes of it that are not shown'),
  publishedOnly: z.boolean().optional().describe('The published version uses it, the draft no longer does'),
});

const counted = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  workflows: z.number(),
  live: z.number().describe('How many of them are live'),
  missing: z.boolean().optional().describe('Workflows name it, but it does not exist'),
});

export const credentialUsage = n8nTool({
  name: NAME,
  title: 'Credential usage',
  description:
    'Which workflows and nodes use a credential. Without "id": for every credential how many workflows use it, the unused and the missing ones first.',
  effect: 'read',
  phrases:
    'which workflows use this credential; who uses this password; where is an api key used; find unused credentials; is this login still needed; which nodes use the token; credentials that nobody uses; missing credentials; can i safely delete a credential; what stops working if i change a secret; where is this secret in use; how many workflows depend on an api key; which automations log in with this account; what uses this token; list of orphaned credentials; which credentials can i delete; find dead or forgotten logins; is anybody using this credential; we change a password, who is touched; dead api keys; is the old key still referenced; what is this token for; which flows need this account; leftover logins; if i rotate this key, what is concerned; list logins with no workflow; where do we use this account; is the login referenced anywhere; if the token gets revoked, which automations fail; what hangs on this key; count uses of a credential; which workflows authenticate with this; users of an account; credentials without any use; who needs this secret; where does this key go',
  tags: ['credentials', 'find'],
  input: {
    id: credentialIdInput.optional(),
    limit: z.int().min(1).max(250).optional().describe('At most this many; without it, what fits into 8 KB'),
    cursor: z.string().optional().describe('From the answer before'),
  },
  output: z.object({
    credential: z.object({ id: z.string(), name: z.string(), type: z.string() }).optional(),
    workflows: z.array(user).optional(),
    credentials: z.array(counted).optional(),
    total: z.number(),
    note: z.string().optional(),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'Who uses it', arguments: { id: 'R2DjclaysHbqn778' } },
    { title: 'What is unused', arguments: {} },
  ],
  async run({ id, limit, cursor }, { client }, { signal }) {
    const asked = { instance: client.name, id };
    const { skip } = placeIn(NAME, asked, cursor);
    const part = <T>(all: readonly T[], head: object) => {
      const rest = all.slice(skip);
      const shown = rest.slice(0, limit ?? fittingItems(rest, head));
      const next = shown.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + shown.length }) };
      return { shown, next };
    };
    if (id === undefined) {
      const { all, note } = await countAll(client, signal);
      const head = { total: all.length, ...(note !== undefined && { note }) };
      const { shown, next } = part(all, head);
      return { credentials: shown, ...head, ...next };
    }
    const { name, type } = await existingCredential(client, id, signal);
    const users = (await usersOf(client, id, signal)).map(brief);
    const head = { credential: { id, name, type }, total: users.length };
    const { shown, next } = part(users, head);
    return { workflows: shown, ...head, ...next };
  },
});

function brief({ nodes, ...user }: User) {
  const more = nodes.length - MOST_NODES;
  return { ...user, nodes: nodes.slice(0, MOST_NODES), ...(more > 0 && { moreNodes: more }) };
}

async function countAll(client: N8nClient, signal: AbortSignal) {
  const known = await knownCredentials(client, signal);
  const workflows = await Array.fromAsync(client.workflows.all({}, signal));
  return { all: countUses(known, workflows), note: known.note };
}
