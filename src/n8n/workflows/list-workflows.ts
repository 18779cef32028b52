import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { WorkflowFilter } from '../client/workflows.ts';
import { cursorFor, type Place, placeIn } from '../cursor.ts';
import { isGenerated } from '../generated.ts';
import { n8nTool } from '../tool.ts';
import { summaryOf, type WorkflowSummary, workflowSummary } from './summary.ts';

const NAME = 'n8n_list_workflows';
/** Page sizes to read: a bit more than we show; the largest n8n allows if most workflows will not match. */
const PAGE = 50;
const LARGEST = 250;

export const listWorkflows = n8nTool({
  name: NAME,
  title: 'List workflows',
  description:
    'Lists the workflows of an n8n with id, name, whether they are live, tags and size. Filter by state, name, tags or project. n8n_get_workflow looks inside one, n8n_search_workflows finds by content, n8n_get_overview shows how all of it is doing.',
  effect: 'read',
  phrases:
    'list workflows; show all automations; what workflows do i have; which flows are live; which workflows are active or inactive; how many workflows are there; find a workflow by name; id of a workflow; workflows with a tag; archived workflows; my automations; what is turned on; everything in a project; show me my workflows; names of all flows; which automations are running live; which workflows are turned off; list inactive workflows; get the workflow id; do i have a workflow called this; all workflows of a project; workflows labelled with a tag; show archived ones; count my automations; overview of all flows; what is live at the moment; inventory of automations; id of a flow; which flows exist; what have we automated; all active workflows; everything that is switched on; which workflows are drafts; workflows by name; show the catalogue of flows; is there a workflow for this; list flows with the tag; what do we have in n8n; which flows are dormant; names of everything we automated; is there a flow about a topic; my flows; what runs in n8n; browse workflows; show the disabled ones; search a workflow by title; which automations are published; overview of the automations; number of workflows; list all; find workflow id; workflows without tag',
  tags: ['workflows'],
  input: {
    active: z.boolean().optional().describe('true: only live; false: only others'),
    name: z.string().min(1).max(200).optional().describe('Part of the name, ignoring case'),
    tags: z.array(z.string().min(1)).max(20).optional().describe('Tag names; it must have all'),
    archived: z.boolean().optional().describe('true: only archived. Default: only others'),
    project: z.string().optional().describe('Id of a project'),
    include_generated: z.boolean().optional().describe('Include workflows Sluice generated'),
    limit: z.int().min(1).max(250).optional().describe('Maximum per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same filters'),
  },
  output: z.object({
    workflows: z.array(workflowSummary),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'Only live workflows', arguments: { active: true } },
    { title: 'By name and tag', arguments: { name: 'invoice', tags: ['finance'] } },
  ],
  async run({ limit, cursor, archived = false, project, ...given }, { client }, { signal }) {
    const asked = { instance: client.name, archived, project, ...given };
    const generated = given.include_generated === true;
    const filter: WorkflowFilter = {
      ...(given.active !== undefined && { active: given.active }),
      ...(given.tags && { tags: given.tags }),
      ...(project !== undefined && { projectId: project }),
    };
    const wanted = given.name?.toLowerCase();
    const fits = ({ name, archived: is = false }: WorkflowSummary) =>
      is === archived && (wanted === undefined || name.toLowerCase().includes(wanted));
    const rare = archived || wanted !== undefined;
    const place = placeIn(NAME, asked, cursor);
    const isShown = (workflow: Workflow) => generated || !isGenerated(workflow);
    const { workflows, rest } = await gather(client, filter, place, limit, { fits, isShown, rare }, signal);
    return { workflows, ...(rest && { cursor: cursorFor(NAME, asked, rest) }) };
  },
});

/** n8n supports only some of the filters, so this reads pages until it has enough matches. */
async function gather(
  client: N8nClient,
  filter: WorkflowFilter,
  from: Place,
  limit: number | undefined,
  { fits, isShown, rare }: { fits(one: WorkflowSummary): boolean; isShown(one: Workflow): boolean; rare: boolean },
  signal: AbortSignal,
): Promise<{ workflows: WorkflowSummary[]; rest?: Place }> {
  const workflows: WorkflowSummary[] = [];
  let { next, skip }: { next?: string | undefined; skip: number } = from;
  for (;;) {
    // Read at least as far as the skipped items, which were counted in this page.
    const size = Math.min(LARGEST, Math.max(rare ? LARGEST : PAGE, limit ?? 0, skip + 1));
    const page = await client.workflows.page(
      { ...filter, limit: size, ...(next !== undefined && { cursor: next }) },
      signal,
    );
    for (const [index, item] of page.items.entries()) {
      const summary = summaryOf(item);
      if (index < skip || !fits(summary) || !isShown(item)) continue;
      const full =
        limit === undefined ? fittingItems([...workflows, summary]) <= workflows.length : workflows.length >= limit;
      if (full && workflows.length > 0)
        return { workflows, rest: { skip: index, ...(next !== undefined && { next }) } };
      workflows.push(summary);
    }
    if (page.cursor === undefined) return { workflows };
    next = page.cursor;
    skip = 0;
    // Nearly all workflows match, so assume that the next page has more without reading it.
    if (!rare && limit !== undefined && workflows.length >= limit) return { workflows, rest: { skip, next } };
  }
}
