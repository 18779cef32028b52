import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { scanWorkflows } from './scan.ts';
import { type Hit, type Query, searchWorkflow } from './search.ts';

const NAME = 'n8n_search_workflows';
const HITS_SHOWN = 4;

const sought = (words: string) => z.string().min(1).max(500).optional().describe(words);

export const searchWorkflows = n8nTool({
  name: NAME,
  title: 'Search workflows',
  description:
    'Finds workflows by what is in them: the type of a node, an address they call, text in code, a credential, the path of a webhook, an expression, or any text. Each hit names the workflow, the node and the place. Searches the draft and, if different, the live version. A workflow must match all criteria you pass.',
  effect: 'read',
  phrases:
    'find workflows by what is in them; which workflow calls this url; which automation sends to slack; search for text in workflows; which flow uses this webhook path; grep code nodes; find an expression; which workflow contains a word; where do i use this address; find the automation that does something; which workflow writes to this table or sheet; search inside all workflows; which of my workflows contains this; where is this url used; find where a table or channel is mentioned; which flow talks to this service; look for a string in all automations; find the workflow behind a webhook; where is this code; which workflow handles orders; who calls this api; search workflow content; in which automation did i use this; which of them writes into this sheet; where did i hard code the url; who answers on this webhook path; find the flow that mentions a customer; which workflow sends the newsletter; what uses this domain; find all flows that call the old api; where is a variable used; locate a snippet; which automation posts to this channel; find by content; which one contains this text; which flow has a word in it; who requests a domain; locate the flow with a path; find text; where do i mention this; which workflows touch this system; find uses of an address; which workflow is responsible for this; look into all workflows; find code; where does this message come from; which flow creates these records; search by webhook; which workflows use this expression',
  tags: ['workflows', 'search'],
  guidance:
    'Before you change an API, credential or webhook, find who uses it. Then n8n_get_dependencies shows what breaks.',
  input: {
    node_type: sought('Type of a node, full or short: n8n-nodes-base.slack, httpRequest'),
    url: sought('URL that a node calls, or a part of it. Expressions in the node match anything'),
    code: sought('Text in a Code node, a function or a query'),
    credential: sought('Id, name or type of a credential'),
    webhook_path: sought('Path or full URL of a webhook or form'),
    expression: sought('Text in an expression, like $json.customer'),
    text: sought('Any text: names, notes, parameters'),
    active: z.boolean().optional().describe('true: only live workflows; false: only others'),
    archived: z.boolean().optional().describe('Include archived'),
    hits_per_workflow: z.int().min(1).max(100).optional().describe(`Hits per workflow. Default: ${HITS_SHOWN}`),
    limit: z.int().min(1).max(200).optional().describe('Maximum workflows per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same criteria'),
  },
  output: z.object({
    searched: z.number().describe('Workflows searched'),
    found: z.number().describe('Workflows with hits'),
    workflows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        active: z.boolean(),
        archived: z.boolean().optional(),
        hits: z.array(
          z.object({
            by: z.string().describe('The criterion'),
            node: z.string().optional(),
            where: z.string(),
            match: z.string(),
            live: z.boolean().optional().describe('Only in the live version, not in the draft'),
          }),
        ),
        more_hits: z.number().optional(),
      }),
    ),
    cursor: z.string().optional().describe('There are more'),
  }),
  examples: [
    { title: 'Who calls this API', arguments: { url: 'api.example.com/v2' } },
    { title: 'Whose webhook is this', arguments: { webhook_path: 'https://n8n.example.com/webhook/orders' } },
  ],
  async run(
    { active, archived = false, hits_per_workflow = HITS_SHOWN, limit, cursor, ...query },
    { client },
    { signal },
  ) {
    if (Object.values(query).every((one) => one === undefined)) {
      throw new AppError(
        'invalid_input',
        'Pass at least one of node_type, url, code, credential, webhook_path, expression and text.',
      );
    }
    const asked = { instance: client.name, active, archived, ...query };
    const { skip } = placeIn(NAME, asked, cursor);
    const all = (await scanWorkflows(client, signal)).filter(
      (one) => (archived || !one.isArchived) && (active === undefined || one.active === active),
    );
    const found = all.flatMap((workflow) => {
      const hits = searchWorkflow(workflow, query satisfies Query);
      return hits ? [{ workflow, hits }] : [];
    });
    const rows = found.slice(skip).map(({ workflow: { id, name, active: live, isArchived }, hits }) => ({
      id,
      name,
      active: live,
      ...(isArchived && { archived: true }),
      hits: hits.slice(0, hits_per_workflow).map(shownHit),
      ...(hits.length > hits_per_workflow && { more_hits: hits.length - hits_per_workflow }),
    }));
    const frame = { searched: all.length, found: found.length };
    const kept = limit ?? fittingItems(rows, { ...frame, cursor: 'x'.repeat(100) });
    const rest = skip + kept < found.length;
    return {
      ...frame,
      workflows: rows.slice(0, kept),
      ...(rest && { cursor: cursorFor(NAME, asked, { skip: skip + kept }) }),
    };
  },
});

const LONGEST = 200;

function shownHit(hit: Hit): Hit {
  return hit.match.length > LONGEST ? { ...hit, match: `${hit.match.slice(0, LONGEST)}…` } : hit;
}
