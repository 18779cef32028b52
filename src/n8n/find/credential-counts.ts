import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { N8nClient } from '../client/client.ts';
import { knownCredentials } from '../credentials/known-credentials.ts';
import { countUses } from '../credentials/usage.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { scanWorkflows } from './scan.ts';

const NAME = 'n8n_get_dependencies';

export const credentialCounts = z.object({
  credentials: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        workflows: z.number(),
        live: z.number().describe('How many of them are live'),
        missing: z.boolean().optional().describe('Workflows name it, but it does not exist'),
      }),
    )
    .optional(),
  total: z.number().optional().describe('Number of credentials'),
  cursor: z.string().optional().describe('There are more credentials'),
});

/** How many workflows use each credential, one page at a time. Missing and unused credentials come first. */
export async function countedCredentials(
  client: N8nClient,
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  signal: AbortSignal,
): Promise<z.input<typeof credentialCounts> & { note?: string }> {
  const asked = { instance: client.name };
  const { skip } = placeIn(NAME, asked, cursor);
  const workflows = await scanWorkflows(client, signal);
  const known = await knownCredentials(client, signal, workflows);
  const all = countUses(known, workflows);
  const head = { total: all.length, ...(known.note !== undefined && { note: known.note }) };
  const rest = all.slice(skip);
  const credentials = rest.slice(0, limit ?? fittingItems(rest, head));
  return {
    credentials,
    ...head,
    ...(credentials.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + credentials.length }) }),
  };
}
