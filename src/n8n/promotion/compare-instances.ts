import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { instanceName, sidesOf, whichInput } from './asked.ts';
import { compared, comparedStock, type Drift } from './compare.ts';
import { readStock, readWorkflows } from './side.ts';
import { wantedOf } from './wanted.ts';

const NAME = 'n8n_compare_instances';
const MOST_CHANGES = 6;
const LONGEST = 200;
const everything = { credentials: true, tables: true, variables: true, tags: true };

export const compareInstances = n8nTool({
  name: NAME,
  title: 'Compare instances',
  description:
    'Compares two n8n instances: which workflows exist only on one, and which differ, in words; whether they are live; credentials by type and name, tags, variables, columns of data tables. Different ids of the same credential or sub-workflow do not count. Changes nothing. Descriptions, pinned and static data are not compared.',
  effect: 'read',
  phrases:
    'compare two n8n instances; what differs between staging and production; drift between environments; is production up to date with staging; which workflows are only on one instance; are both n8n the same; find differences between two servers; did somebody change production directly; which credentials does the other n8n lack; are test and live in sync; list what is missing on the other instance; compare a workflow on dev with the one on prod; configuration drift of n8n; audit differences between our n8n servers; what would be left to promote',
  tags: ['promotion'],
  namesInstances: true,
  input: {
    from: instanceName.describe('One n8n, by its name in the configuration'),
    to: instanceName.describe('The other n8n'),
    ...whichInput,
    full: z.boolean().optional().describe('All differences in one reply, however long'),
    cursor: z.string().max(1000).optional().describe('Cursor of the last reply'),
  },
  output: z.object({
    from: z.string(),
    to: z.string(),
    same: z.boolean(),
    counts: z
      .object({ same: z.number(), differs: z.number(), only_from: z.number(), only_to: z.number() })
      .describe('Workflows'),
    differences: z.array(
      z.object({
        kind: z.enum(['workflow', 'credential', 'tag', 'variable', 'data table']),
        name: z.string(),
        state: z.enum(['only_from', 'only_to', 'differs']),
        type: z.string().optional().describe('Of a credential'),
        from_id: z.string().optional(),
        to_id: z.string().optional(),
        changes: z.array(z.string()).optional().describe('What would change on `to` to be like `from`'),
      }),
    ),
    notes: z.array(z.string()).optional(),
    cursor: z.string().optional().describe('There are more differences'),
  }),
  async run({ from, to, workflows, tag, full = false, cursor }, deps, { signal }) {
    const clients = sidesOf(deps.instances, { from, to });
    const asked = { from, to, workflows, tag };
    const { skip } = placeIn(NAME, asked, cursor);
    const [here, there, links] = await Promise.all([
      readWorkflows(clients.source, signal),
      readWorkflows(clients.target, signal),
      deps.promotions.links(from, to),
    ]);
    const [stock, otherStock] = await Promise.all([
      readStock(here, everything, signal),
      readStock(there, everything, signal),
    ]);
    const isNarrow = workflows !== undefined || tag !== undefined;
    const wanted = isNarrow ? new Set(wantedOf(here, { workflows, tag })) : undefined;
    const { drifts, same } = compared(
      { workflows: here, stock },
      { workflows: there, stock: otherStock },
      links,
      (one) => !wanted || wanted.has(one),
    );
    const all = isNarrow ? drifts : [...drifts, ...comparedStock(stock, otherStock)];
    const count = (state: Drift['state']) => drifts.filter((one) => one.state === state).length;
    const notes = [...stock.notes, ...otherStock.notes];
    const head = {
      from,
      to,
      same: all.length === 0,
      counts: { same, differs: count('differs'), only_from: count('only_from'), only_to: count('only_to') },
      ...(notes.length > 0 && { notes }),
    };
    if (full) return { ...head, differences: all.map(mutable) };
    const rest = all.slice(skip).map(shortened);
    const kept = rest.length === 0 ? 0 : fittingItems(rest, { ...head, cursor: 'x'.repeat(100) });
    return {
      ...head,
      differences: rest.slice(0, kept),
      ...(kept < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept }) }),
    };
  },
});

const mutable = ({ changes, ...drift }: Drift) => ({ ...drift, ...(changes && { changes: [...changes] }) });

function shortened(drift: Drift) {
  const { changes = [] } = drift;
  const left = changes.length - MOST_CHANGES;
  const lines = changes
    .slice(0, MOST_CHANGES)
    .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line));
  return mutable({
    ...drift,
    ...(changes.length > 0 && { changes: [...lines, ...(left > 0 ? [`… ${left} more: use full`] : [])] }),
  });
}
