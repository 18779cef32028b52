import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { quoted, someOf } from '../../kernel/some-of.ts';
import type { Applied } from './apply.ts';
import type { Hole, Plan, Planned } from './plan.ts';
import type { Shell } from './shells.ts';

const MOST_CHANGES = 12;
const FEW_CHANGES = 4;
const LONGEST_LINE = 240;
const LONGEST_PROBLEM = 500;
const MOST_NAMES = 10;
const MOST_TO_FILL = 6;
/** What a reply needs besides the credentials to fill in. */
const BESIDES_FILL = 2300;
const ALSO_FILL = 900;

const workflowShape = z.object({
  name: z.string(),
  id: z.string().describe('On `from`'),
  target_id: z.string().optional().describe('On `to`'),
  action: z.enum(['create', 'update', 'unchanged', 'conflict']),
  found_by: z.enum(['mapping', 'kept', 'id', 'name']).optional().describe('How it was found on `to`'),
  needed: z.literal(true).optional().describe('Not asked for: another workflow needs it'),
  publish: z.literal(true).optional(),
  changes: z.array(z.string()).optional().describe('What would change, or changed, on `to`'),
  since: z.array(z.string()).optional().describe('What somebody changed on `to` since the last promotion'),
  backup: z.string().optional(),
});

const shellShape = z.object({
  name: z.string(),
  type: z.string(),
  id: z.string(),
  url: z.string().describe('Where to fill it in'),
  fields: z.array(z.string()),
});

export const reportShape = z.object({
  state: z.enum(['plan', 'blocked', 'nothing to do', 'done']),
  from: z.string(),
  to: z.string(),
  plan: z.string().optional().describe('Pass it as "apply" to carry out this plan'),
  promotion: z.string().optional().describe('For n8n_undo_promotion'),
  counts: z.object({ create: z.number(), update: z.number(), unchanged: z.number(), conflict: z.number() }),
  holes: z
    .array(z.object({ what: z.string(), used_by: z.string(), why: z.string(), fix: z.string() }))
    .optional()
    .describe('What `to` lacks, and how to fill it'),
  problems: z.array(z.string()).optional().describe('Why it cannot be carried out'),
  creates: z
    .object({ tags: z.array(z.string()), data_tables: z.array(z.string()), credentials: z.array(z.string()) })
    .partial()
    .optional()
    .describe('What else is created on `to`; data tables without rows, credentials without values'),
  to_fill: z.array(shellShape).optional().describe('Empty credentials: fill these in'),
  workflows: z.array(workflowShape),
  mapped: z.array(z.string()).optional().describe('What stands for what on `to`'),
  notes: z.array(z.string()).optional(),
  more: z.string().optional().describe('What this reply leaves out'),
});

type Report = z.input<typeof reportShape>;

export interface Reporting {
  readonly plan: Plan;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly shells: readonly Shell[];
  /** The id of the kept plan. */
  readonly kept?: string | undefined;
  readonly applied?: Applied | undefined;
  readonly full: boolean;
}

const gravity: Readonly<Record<Planned['action'], number>> = { conflict: 0, update: 1, create: 2, unchanged: 3 };

/** The report of a plan or of what was done, short enough for a reply unless `full`. */
export function reportOf({ plan, problems, notes, shells, kept, applied, full }: Reporting): Report {
  const { workflows, source, target, holes, creates } = plan;
  const count = (action: Planned['action']) => workflows.filter((one) => one.action === action).length;
  const told = [...plan.notes, ...notes, ...(applied?.notes ?? [])];
  const listed = <T>(items: readonly T[], most: number): T[] => [...(full ? items : items.slice(0, most))];
  const fills = shells.map((shell) => fillNote(shell, target.client.url));
  const most = Math.min(MOST_TO_FILL, fittingItems(fills, { reserved: 'x'.repeat(BESIDES_FILL) }));
  const head = {
    state: stateOf(plan, problems, applied),
    from: source.client.name,
    to: target.client.name,
    ...(kept !== undefined && { plan: kept }),
    ...(applied && { promotion: applied.id }),
    counts: {
      create: count('create'),
      update: count('update'),
      unchanged: count('unchanged'),
      conflict: count('conflict'),
    },
    ...createdIn(creates, listed),
    ...(applied && shells.length > 0 && { to_fill: listed(fills, most) }),
  };
  const alsoFill = applied && !full ? alsoFillText(fills.slice(most)) : '';
  const entries = workflows
    .toSorted((a, b) => gravity[a.action] - gravity[b.action] || Number(b.asked) - Number(a.asked))
    .map((one) => entryOf(one, applied, full ? undefined : workflows.length > 5 ? FEW_CHANGES : MOST_CHANGES));
  const mapped = mappedLines(plan);
  const lists = { problems, holes, notes: told, workflows: entries, mapped };
  if (full) return { ...head, ...withoutEmpty(lists), workflows: entries };
  return { ...head, ...shortLists(lists, head, applied ? '' : ' Repeat with "full": true for everything.', alsoFill) };
}

interface Lists {
  readonly problems: readonly string[];
  readonly holes: readonly Hole[];
  readonly notes: readonly string[];
  readonly workflows: readonly z.input<typeof workflowShape>[];
  readonly mapped: readonly string[];
}

/** How much of a reply later lists need at least. */
const RESERVED: Readonly<Record<keyof Lists, number>> = {
  problems: 1600,
  holes: 1200,
  notes: 900,
  workflows: 300,
  mapped: 300,
};

/** As much of each list as fits, the important ones first. */
function shortLists(
  { problems, holes, notes, workflows, mapped }: Lists,
  head: object,
  advice: string,
  /** Said in any case. */
  besides: string,
) {
  const lists: Lists = {
    problems: problems.map((line) => cut(line, LONGEST_PROBLEM)),
    holes: holes.map((hole) => ({ ...hole, fix: cut(hole.fix, LONGEST_LINE) })),
    notes: notes.map((line) => cut(line, LONGEST_LINE)),
    workflows,
    mapped,
  };
  const left: string[] = [];
  const shown: Record<string, readonly unknown[]> = {};
  for (const [name, items] of Object.entries(lists) as [keyof Lists, readonly unknown[]][]) {
    if (items.length === 0) continue;
    // References matter least: they are shown if everything else is.
    const isRoom = name !== 'mapped' || left.length === 0;
    const kept = !isRoom
      ? 0
      : fittingItems(items, { ...head, ...shown, besides, reserved: 'x'.repeat(RESERVED[name]) });
    if (kept > 0) shown[name] = items.slice(0, kept);
    left.push(...leftOut(items.length - kept, name === 'mapped' ? 'mapped references' : name));
  }
  return {
    ...(shown as Partial<Mutable<Lists>>),
    workflows: [...((shown.workflows as Lists['workflows'] | undefined) ?? [])],
    ...((left.length > 0 || besides !== '') && {
      more: `${left.length > 0 ? `Left out: ${left.join(', ')}.${advice}` : ''}${besides}`.trim(),
    }),
  };
}

type Mutable<T> = { [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

function withoutEmpty(lists: Lists): Partial<Mutable<Lists>> {
  return Object.fromEntries(Object.entries(lists).filter(([, items]) => items.length > 0));
}

const leftOut = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);

function stateOf(plan: Plan, problems: readonly string[], applied: Applied | undefined): Report['state'] {
  if (applied) return 'done';
  if (isBlocked(plan, problems)) return 'blocked';
  return hasWork(plan) ? 'plan' : 'nothing to do';
}

export const isBlocked = ({ holes, workflows, asked }: Plan, problems: readonly string[]): boolean =>
  problems.length > 0 || (holes.length > 0 && !asked.allow_holes) || workflows.some((one) => one.action === 'conflict');

export const hasWork = ({ workflows }: Plan): boolean =>
  workflows.some(({ action, publishes }) => action !== 'unchanged' || publishes);

function createdIn(creates: Plan['creates'], listed: <T>(items: readonly T[], most: number) => T[]) {
  const found = {
    ...(creates.tags.length > 0 && { tags: listed(creates.tags, MOST_NAMES) }),
    ...(creates.tables.length > 0 && {
      data_tables: listed(
        creates.tables.map(({ name }) => name),
        MOST_NAMES,
      ),
    }),
    ...(creates.credentials.length > 0 && {
      credentials: listed(
        creates.credentials.map(({ name, type }) => `${name} (${type})`),
        MOST_NAMES,
      ),
    }),
  };
  return Object.keys(found).length > 0 ? { creates: found } : {};
}

const fillNote = ({ id, item, type, fields }: Shell, url: string) => ({
  name: item.name,
  type,
  id,
  url: `${url.replace(/\/+$/, '')}/home/credentials/${encodeURIComponent(id)}`,
  fields: [...fields],
});

/** The names of those that do not fit: nobody can ask for the list again. */
function alsoFillText(fills: readonly z.input<typeof shellShape>[]): string {
  if (fills.length === 0) return '';
  const names = fills.map(({ name, type }) => `${quoted(name)} (${type})`);
  let room = ALSO_FILL;
  const over = names.findIndex((text) => (room -= text.length + 2) < 0);
  return ` Also fill in: ${someOf(names, over === -1 ? names.length : over)}.`;
}

function entryOf(one: Planned, applied: Applied | undefined, most: number | undefined): z.input<typeof workflowShape> {
  const { source, action, how, asked, publishes, changes, since = [], present } = one;
  const done = applied?.written.get(source.id);
  const target = done?.id ?? present?.id;
  return {
    name: source.name,
    id: source.id,
    ...(target !== undefined && { target_id: target }),
    action,
    ...(how !== undefined && { found_by: how }),
    ...(!asked && { needed: true as const }),
    ...(publishes && { publish: true as const }),
    ...(changes.length > 0 && { changes: firstLines(changes, most) }),
    ...(since.length > 0 && { since: firstLines(since, most) }),
    ...(done?.backup !== undefined && { backup: done.backup }),
  };
}

function firstLines(lines: readonly string[], most: number | undefined): string[] {
  if (most === undefined) return [...lines];
  const left = lines.length - most;
  return [...lines.slice(0, most).map((line) => cut(line, LONGEST_LINE)), ...(left > 0 ? [`… ${left} more`] : [])];
}

const cut = (line: string, most: number): string => (line.length > most ? `${line.slice(0, most)}…` : line);

/** What stands for what, except for the workflows that are promoted themselves. */
function mappedLines({ needs, workflows }: Plan): string[] {
  const own = new Set(workflows.map(({ source }) => source.id));
  return [...needs.values()].flatMap((need) => {
    if (need.state !== 'mapped' || (need.kind === 'workflow' && own.has(need.item.id))) return [];
    const { item, to, how } = need;
    const renamed = item.name === to.name ? '' : ` "${to.name}"`;
    return [
      `${need.kind} "${item.name}" (${item.id}) -> ${to.id}${renamed}, found by ${how === 'kept' ? 'an earlier promotion' : how}`,
    ];
  });
}
