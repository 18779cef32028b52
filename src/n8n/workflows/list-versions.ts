import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from './existing.ts';
import { idInput } from './id-input.ts';

const NAME = 'n8n_list_versions';
const PAGE = 50;

export const listVersions = n8nTool({
  name: NAME,
  aliases: { n8n_workflow_history: sameArguments },
  title: 'List versions',
  description:
    'Lists the versions of a workflow that n8n has kept, newest first: when, by whom, which is the draft and which is live. n8n_diff_versions compares two, n8n_get_workflow reads one.',
  effect: 'read',
  phrases:
    'history of a workflow; earlier versions of a workflow; list of revisions; who changed the workflow; when was it edited; version list; which version is live; past edits; last modified by; change log of an automation; who changed it last; previous versions; what versions exist; when was this workflow last edited; list of changes over time; edit history; all saved versions; older revisions of an automation; which version is published; history of edits and authors; what was saved over time and by whom; which revisions does n8n keep; show all versions; timeline of a workflow; author of the last change; list the edits; how often was it changed; when did this workflow change; versions to choose from; published versions; who has been working on this flow; which former versions can i choose from; changes made to a workflow over time; log of edits; who published it; last editor; list versions; earlier states of a workflow; edits by person; since when is it like this',
  tags: ['workflows', 'versions'],
  input: {
    id: idInput,
    limit: z.int().min(1).max(250).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same id'),
  },
  output: z.object({
    workflow: z.object({ id: z.string(), name: z.string() }),
    versions: z.array(
      z.object({
        version: z.string(),
        saved: z.string().optional(),
        by: z.string().optional(),
        label: z.string().optional(),
        is: z.enum(['draft', 'live', 'draft and live']).optional(),
      }),
    ),
    cursor: z.string().optional().describe('There are more'),
  }),
  async run({ id, limit, cursor }, { client }, { signal }) {
    const asked = { instance: client.name, id };
    const { next, skip } = placeIn(NAME, asked, cursor);
    const { name, versionId, activeVersionId } = await existingWorkflow(client, id, signal);
    const page = await client.workflows.history(
      id,
      { limit: PAGE, ...(next !== undefined && { cursor: next }) },
      signal,
    );
    const items = page.items.slice(skip).map((one) => ({
      version: one.versionId,
      ...(one.createdAt !== undefined && { saved: one.createdAt }),
      ...(one.authors && { by: one.authors }),
      ...(typeof one.name === 'string' && one.name !== '' && { label: one.name }),
      ...standing(one.versionId, versionId, activeVersionId),
    }));
    const kept = limit === undefined ? fittingItems(items) : Math.min(limit, items.length);
    const rest =
      kept < items.length
        ? { skip: skip + kept, ...(next !== undefined && { next }) }
        : page.cursor !== undefined && { skip: 0, next: page.cursor };
    return {
      workflow: { id, name },
      versions: items.slice(0, kept),
      ...(rest && { cursor: cursorFor(NAME, asked, rest) }),
    };
  },
});

function standing(version: string, draft: string | null | undefined, live: string | null | undefined) {
  if (version === draft) return { is: version === live ? ('draft and live' as const) : ('draft' as const) };
  return version === live ? { is: 'live' as const } : {};
}
