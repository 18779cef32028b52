import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Json } from '../../kernel/source.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { knownCredentials } from '../credentials/known-credentials.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { idInput } from '../workflows/id-input.ts';
import { dependenciesOf, type Target } from './dependencies.ts';
import { countedCredentials, credentialCounts } from './credential-counts.ts';
import { listTables, type Table, tableNaming, tablesIn } from './data-tables.ts';
import { isExpression } from './located.ts';
import { type Reference, referencesOf } from './references.ts';
import { scanWorkflows } from './scan.ts';

const reference = {
  kind: z.string().describe('sub-workflow, error workflow, credential, data table or webhook'),
  node: z.string().optional(),
  where: z.string(),
  live: z.boolean().optional().describe('Only in the live version, not in the draft'),
};

export const getDependencies = n8nTool({
  name: 'n8n_get_dependencies',
  aliases: { n8n_dependencies: sameArguments, n8n_credential_usage: ofCredential },
  title: 'Get dependencies',
  description:
    'Shows what a workflow needs (sub-workflows, credentials, data tables, its error workflow, webhooks of others) and who needs it. Or shows who uses a credential or a data table. With "credentials": how many workflows use each credential, missing and unused first. "affected" lists all workflows that may break if you change or delete it, directly or through others.',
  effect: 'read',
  phrases:
    'what breaks if i change this; what breaks if i delete it; who depends on this workflow; which workflows call this sub-workflow; what does a workflow need; impact of a change; who uses a data table; side effects on other workflows; relations between workflows; which other automations are affected; is it safe to delete; parents and callers of a workflow; where is an error workflow used; what will be affected if i remove this; who calls this workflow; which sub-workflows does it use; what is connected to this workflow; consequences of deleting a workflow; which credentials and tables does a workflow need; map of dependencies; what relies on this; blast radius; can i delete it without breaking anything; who uses this workflow; if i touch this sub-workflow, who suffers; everything that hangs on a data table; what else would be hit; which automations are linked to this one; is something relying on this workflow; upstream and downstream of a workflow; what does it pull in; who is calling it; what will stop working when i remove this; chain of workflows; cross references; would anything stop functioning without this workflow; who is using the table; prerequisites of a flow; which other flows start this one; what is this workflow connected with; what do i risk by changing it; what else has to be moved with it; resources a workflow needs; everything related to a workflow; called by; used by; depends on; effects of deleting; which workflows use this credential; who uses this password; where is an api key used; find unused credentials; is this login still needed; which nodes use the token; credentials that nobody uses; missing credentials; can i safely delete a credential; what stops working if i change a secret; where is this secret in use; how many workflows depend on an api key; which automations log in with this account; what uses this token; list of orphaned credentials; which credentials can i delete; find dead or forgotten logins; is anybody using this credential; we change a password, who is touched; dead api keys; is the old key still referenced; what is this token for; which flows need this account; leftover logins; if i rotate this key, what is concerned; list logins with no workflow; where do we use this account; is the login referenced anywhere; if the token gets revoked, which automations fail; what hangs on this key; count uses of a credential; which workflows authenticate with this; users of an account; credentials without any use; who needs this secret; where does this key go',
  tags: ['workflows', 'credentials', 'search'],
  guidance: 'Call it before you delete, archive or rename something, or change the interface of a sub-workflow.',
  input: {
    id: idInput.optional().describe('A workflow, by its id'),
    credential: z.string().min(1).max(200).optional().describe('Or a credential, by id or whole name'),
    data_table: z.string().min(1).max(200).optional().describe('Or a data table, by id or whole name'),
    credentials: z.boolean().optional().describe('Or all credentials, with how many workflows use each'),
    full: z.boolean().optional().describe('Return everything. Default: what fits into 8 KB'),
    limit: z.int().min(1).max(250).optional().describe('credentials: maximum per page'),
    cursor: z.string().optional().describe('credentials: from the last answer'),
  },
  output: z.object({
    of: z
      .object({
        kind: z.string(),
        id: z.string().optional(),
        name: z.string().optional(),
        active: z.boolean().optional(),
      })
      .optional(),
    uses: z
      .array(
        z.object({
          ...reference,
          id: z.string().optional().describe('Absent: set by an expression, or only a name is known'),
          name: z.string().optional(),
          missing: z.boolean().optional().describe('There is no such workflow or data table'),
          inactive: z.boolean().optional().describe('It is not published, so it cannot be called'),
        }),
      )
      .optional(),
    used_by: z.array(z.object({ id: z.string(), name: z.string(), active: z.boolean(), ...reference })).optional(),
    affected: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          active: z.boolean(),
          depth: z.number().describe('Steps away'),
          through: z.string().optional(),
        }),
      )
      .optional(),
    counts: z
      .object({
        uses: z.number(),
        used_by: z.number(),
        affected: z.number(),
        affected_active: z.number().describe('How many of them are live'),
        dynamic: z.number().describe('Calls whose workflow is set by an expression: they may call this one, too'),
      })
      .optional(),
    ...credentialCounts.shape,
    note: z.string().optional(),
  }),
  examples: [
    { title: 'Is it safe to delete', arguments: { id: 'r4tKq0uX2b' } },
    { title: 'Who uses a credential', arguments: { credential: 'Slack bot' } },
    { title: 'Which credentials nobody uses', arguments: { credentials: true } },
  ],
  async run({ id, credential, data_table, credentials, full = false, ...page }, { client }, { signal }) {
    const about = [id, credential, data_table, credentials || undefined];
    if (about.filter((one) => one !== undefined).length !== 1) {
      throw new AppError('invalid_input', 'Pass exactly one of id, credential, data_table and credentials.');
    }
    if (credentials) return countedCredentials(client, page, signal);
    const all = await scanWorkflows(client, signal);
    const workflow =
      id === undefined ? undefined : (all.find((one) => one.id === id) ?? (await existingWorkflow(client, id, signal)));
    const wantsTables =
      data_table !== undefined || (workflow && referencesOf(workflow).some(({ kind }) => kind === 'data table'));
    const tables = wantsTables ? await listTables(client, signal) : undefined;
    const references = all.flatMap(referencesOf);
    const naming = tableNaming(tables ?? tablesIn(references));
    const target: Target = workflow
      ? { kind: 'workflow', workflow }
      : credential === undefined
        ? namedThing(references.map(naming), 'data table', data_table as string, tables)
        : namedThing(references, 'credential', credential, await listedCredentials(client, all, signal));
    const found = dependenciesOf(target, all, naming);
    const byId = new Map(all.map((one) => [one.id, one]));
    const uses = found.uses.map((one) => shownUse(one, byId, tables));
    const usedBy = found.usedBy.map(({ workflow: by, reference: { kind, node, where, live } }) => ({
      ...brief(by),
      kind,
      ...(node !== undefined && { node }),
      where,
      ...(live && { live }),
    }));
    const affected = found.affected
      .map(({ workflow: by, depth, through }) => ({ ...brief(by), depth, ...(through !== undefined && { through }) }))
      .sort((a, b) => Number(b.active) - Number(a.active) || a.depth - b.depth);
    const dynamic = references.filter(({ kind, id: to }) => kind === 'sub-workflow' && to === undefined);
    const head = {
      of: target.kind === 'workflow' ? { kind: target.kind, ...brief(target.workflow) } : target,
      counts: {
        uses: uses.length,
        used_by: usedBy.length,
        affected: affected.length,
        affected_active: affected.filter(({ active }) => active).length,
        dynamic: workflow ? dynamic.length : 0,
      },
    };
    return { ...head, ...(full ? { uses, used_by: usedBy, affected } : fitting(head, uses, usedBy, affected)) };
  },
});

/** Converts the arguments of n8n_credential_usage: one credential, or all. */
function ofCredential({ id, ...given }: Json): Json {
  return id === undefined ? { ...given, credentials: true } : { instance: given.instance, credential: id };
}

/** All credentials the key may list: this is how an unused one is found. */
async function listedCredentials(client: N8nClient, workflows: readonly Workflow[], signal: AbortSignal) {
  return (await knownCredentials(client, signal, workflows)).credentials;
}

/** Shortens the lists so that the reply stays short. The counts say how much was left out. */
function fitting<U, B, A>(head: object, uses: U[], usedBy: B[], affected: A[]) {
  const lists = [affected, usedBy, uses];
  let room: unknown[] = [head, { note: 'x'.repeat(120) }];
  // Take one of each in turn, so that no list uses up all the space.
  const kept = lists.map(() => 0);
  for (let row = 0; lists.some((list) => row < list.length); row++) {
    for (const [index, list] of lists.entries()) {
      if (row >= list.length) continue;
      const more = [...room, list[row]];
      if (fittingItems(more) < more.length) {
        return { ...cut(kept), note: 'This is a part: counts has the totals. Pass full: true for everything.' };
      }
      room = more;
      kept[index] = row + 1;
    }
  }
  return cut(kept);

  function cut([a = 0, b = 0, u = 0]: number[]) {
    return { uses: uses.slice(0, u), used_by: usedBy.slice(0, b), affected: affected.slice(0, a) };
  }
}

function shownUse(one: Reference, byId: ReadonlyMap<string, Workflow>, tables: readonly Table[] | undefined) {
  const called = one.kind === 'sub-workflow' || one.kind === 'error workflow';
  const isDynamic = one.id === undefined && isExpression(one.name ?? '=');
  const noTable = one.kind === 'data table' && tables && !isDynamic && !tables.some(({ id }) => id === one.id);
  const other = called && one.id !== undefined ? byId.get(one.id) : undefined;
  return {
    ...one,
    ...(other && { name: other.name }),
    ...(((called && one.id !== undefined && !other) || noTable) && { missing: true }),
    ...(other && !other.active && { inactive: true }),
  };
}

const brief = ({ id, name, active }: Workflow) => ({ id, name, active });

type Thing = Exclude<Target, { kind: 'workflow' }>;

/**
 * Finds a credential or data table by id or name. The names come from the workflows that use it, and from n8n's own list if
 * there is one: that list also has the unused ones.
 */
function namedThing(
  references: readonly Reference[],
  kind: Thing['kind'],
  wanted: string,
  listed: readonly { readonly id: string; readonly name: string }[] = [],
): Thing {
  const things = new Map<string, Thing>();
  for (const { id, name } of [...references.filter((one) => one.kind === kind), ...listed]) {
    if (id === undefined && (name === undefined || isExpression(name) || kind === 'credential')) continue;
    const known = name ?? (id === undefined ? undefined : things.get(id)?.name);
    const thing = { kind, ...(id !== undefined && { id }), ...(known !== undefined && { name: known }) };
    things.set(id ?? JSON.stringify(name), thing);
  }
  const all = [...things.values()];
  const found = all.filter(({ id, name }) => id === wanted || name === wanted);
  const meant = found.length > 0 ? found : all.filter(({ name }) => name?.toLowerCase() === wanted.toLowerCase());
  if (meant.length > 1) {
    const ids = meant.flatMap(({ id }) => id ?? []);
    throw new AppError(
      'conflict',
      `Several ${kind}s are called ${wanted}. Pass the id of one: ${ids.slice(0, 10).join(', ')}.`,
    );
  }
  if (meant[0]) return meant[0];
  const near = nearestNames(
    wanted,
    all.flatMap(({ id, name }) => [id, name].filter((one) => one !== undefined)),
  );
  throw new AppError(
    'not_found',
    `No workflow uses a ${kind} ${shown(wanted)}. ${didYouMean(near, 'Either it is unused, or no such id or name exists.')}`,
  );
}
