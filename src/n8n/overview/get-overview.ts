import { z } from 'zod';
import type { CatalogueState } from '../../nodes/catalogue.ts';
import { knownCredentials } from '../credentials/known-credentials.ts';
import { isGenerated } from '../generated.ts';
import { instanceInput } from '../instances.ts';
import { instanceTypes } from '../nodes/instance-types.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { countUpTo, cutNote, type Part, partOf, valueOf } from './counting.ts';
import { credentialState } from './credential-state.ts';
import { DAY_MS, dayNotes, executionsOfDay, failuresOf, runsLong } from './day.ts';
import { lookAt, lookAtShape } from './look-at.ts';
import { neverChosen, workflowsOf } from './workflow-state.ts';

/** Limits, so that a large n8n answers in seconds. */
const MOST_WORKFLOWS = 2500;
const TIME_MS = 10_000;
const SHOWN = 4;
const LONGEST = 100;

const workflowRef = z.object({ id: z.string(), name: z.string() });

export const getOverview = n8nTool({
  name: 'n8n_get_overview',
  aliases: { n8n_overview: sameArguments },
  title: 'Overview of an n8n',
  description:
    'Shows how an n8n is doing: workflows that are live, have unpublished changes or fail; executions of the last day; unused and missing credentials; versions; and "look_at": what to look at first, with the call for it. Begin here when you do not know an n8n yet.',
  effect: 'read',
  phrases:
    'how is my n8n doing; overview of this n8n; summary of the whole instance; dashboard; what should i look at first; where do i begin; state of the instance; health of my n8n; how many workflows are live; give me the big picture; what is going on in this n8n; morning check; status report of n8n; everything at a glance; key figures; what does this instance have; i am new to this n8n; how many runs were there today; anything i should know about my n8n; instance summary; which n8n version is this; what needs attention',
  tags: ['monitoring', 'workflows', 'executions', 'credentials'],
  input: { instance: instanceInput },
  output: z.object({
    n8n: z.object({
      instance: z.string(),
      url: z.string(),
      version: z.string().optional(),
      catalogue: z.string().optional().describe('The n8n version whose nodes Sluice knows'),
    }),
    look_at: z.array(lookAtShape).describe('Most urgent first; empty if nothing stands out'),
    workflows: z
      .object({
        total: z.number().describe('Without archived ones'),
        live: z.number(),
        not_live: z.number().describe('Never published, or unpublished'),
        unpublished_changes: z.number().describe('Live, with a draft that is not published'),
        failing: z.number().optional().describe('Failed in the last day and not succeeded since'),
        waiting: z.number().optional().describe('With waiting executions'),
        archived: z.number(),
        unpublished: z.array(workflowRef).optional().describe('The first of "unpublished_changes"'),
      })
      .optional(),
    executions: z
      .object({
        since: z.string(),
        succeeded: z.number(),
        failed: z.number(),
        canceled: z.number(),
        running: z.number().describe('Now'),
        waiting: z.number().describe('Now'),
      })
      .optional(),
    failures: z
      .array(
        z.object({
          workflow: z.string(),
          name: z.string().optional(),
          node: z.string().optional(),
          cause: z.string(),
          count: z.number(),
          last: z.string(),
          example: z.string().describe('Id of a failed execution'),
          recovered: z.boolean().optional().describe('It succeeded since'),
        }),
      )
      .optional()
      .describe('Of the last day, one per workflow with its last cause. n8n_list_failures groups by cause'),
    credentials: z
      .object({
        total: z.number(),
        unused: z.number().optional(),
        missing: z
          .array(z.object({ name: z.string(), type: z.string(), live: z.number() }))
          .optional()
          .describe('The first that workflows use but do not exist'),
        missing_count: z.number().optional(),
        never_chosen: z.number().optional().describe('Live workflows with a credential that has a name but no id'),
      })
      .optional(),
    notes: z.array(z.string()).optional().describe('Counts that are incomplete, and what the key may not see'),
  }),
  examples: [{ title: 'How is it doing?', arguments: {} }],
  async run({ instance }, { client, catalogues }, { signal }) {
    const now = Date.now();
    const until = now + TIME_MS;
    const [workflows, executions, version] = await Promise.all([
      partOf(countUpTo((query) => client.workflows.page(query, signal), MOST_WORKFLOWS, until)),
      partOf(executionsOfDay(client, now, until, signal)),
      instanceTypes(client)
        .version(signal)
        .catch(() => undefined),
    ]);
    const found = valueOf(workflows);
    const scanned = found && { ...found, items: found.items.filter((one) => !isGenerated(one)) };
    const credentials = await partOf(knownCredentials(client, signal, scanned?.items));
    const day = valueOf(executions);
    const held = valueOf(credentials);
    if ('refused' in workflows && !day && !held) throw workflows.refused;
    const own = scanned?.items ?? [];
    const failures = day ? failuresOf(day, own) : [];
    const { unpublished, ...counts } = workflowsOf(own, day, failures);
    const uses = held && credentialState(held, scanned);
    const unchosen = neverChosen(own);
    const urgent = lookAt(
      {
        failing: failures,
        failed: day?.failures.found.length ?? 0,
        missing: uses?.missing ?? [],
        withoutCredential: unchosen,
        longRunning: day?.running.items.filter((one) => runsLong(one, now)).length ?? 0,
        waiting: day?.waiting.items.length ?? 0,
        drafts: unpublished,
        unused: uses?.unused ?? 0,
      },
      instance,
    );
    const notes = [
      ...[workflows, executions, credentials].flatMap((part: Part<unknown>) =>
        'refused' in part ? [part.refused.message] : [],
      ),
      ...(found ? cutNote('workflows', found) : []),
      ...(day ? dayNotes(day) : []),
      ...(held?.note === undefined ? [] : [held.note]),
    ];
    const known = catalogueWords(catalogues.state(client.name));
    return {
      n8n: {
        instance: client.name,
        url: client.url,
        ...(version !== undefined && { version }),
        ...(known !== undefined && { catalogue: known }),
      },
      look_at: urgent,
      ...(scanned && {
        workflows: {
          ...counts,
          ...(unpublished.length > 0 && {
            unpublished: unpublished.slice(0, SHOWN).map(({ id, name }) => ({ id, name: cut(name) })),
          }),
        },
      }),
      ...(day && {
        executions: {
          since: new Date(now - DAY_MS).toISOString(),
          succeeded: day.succeeded.items.length,
          failed: day.failures.found.length,
          canceled: day.canceled.items.length,
          running: day.running.items.length,
          waiting: day.waiting.items.length,
        },
        failures: failures.slice(0, SHOWN).map(({ name, node, cause, ...rest }) => ({
          ...rest,
          ...(name !== undefined && { name: cut(name) }),
          ...(node !== undefined && { node: cut(node) }),
          cause: cut(cause),
        })),
      }),
      ...(uses && {
        credentials: {
          total: uses.total,
          ...(uses.unused !== undefined && { unused: uses.unused }),
          ...(uses.missing && { missing: uses.missing.slice(0, SHOWN).map(brief), missing_count: uses.missing.length }),
          ...(scanned && { never_chosen: unchosen.length }),
        },
      }),
      ...(notes.length > 0 && { notes: notes.map((note) => (note.length > 300 ? `${note.slice(0, 300)}…` : note)) }),
    };
  },
});

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const brief = ({ name, type, live }: { name: string; type: string; live: number }) => ({
  name: cut(name),
  type: cut(type),
  live,
});

function catalogueWords(state: CatalogueState): string | undefined {
  if (state.state === 'ready') return state.catalogue.origin.n8n;
  return state.state === 'building' ? 'being built' : undefined;
}
