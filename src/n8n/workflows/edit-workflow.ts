import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Tag, Workflow } from '../client/shapes.ts';
import { assignTags, tagIds } from '../tags/names.ts';
import { type N8nDeps, n8nTool } from '../tool.ts';
import type { CheckMode } from '../validation/settings.ts';
import { notValidated, saveGuard, validateInput } from '../validation/on-save.ts';
import { groupsWithin, writable } from './body.ts';
import { changeWorkflow } from './change.ts';
import { eachWorkflow, failure } from './each.ts';
import { applyOperations, type Draft } from './edit/apply.ts';
import { type Operation, operation } from './edit/operations.ts';
import { existingWorkflow } from './existing.ts';
import { expectedVersionInput, idsInput, idsOf } from './id-input.ts';
import { withNewestVersions } from './newest-versions.ts';
import { changeOutcome, outcomeOf } from './outcome.ts';
import { publishSaved } from './publish.ts';

export const editWorkflow = n8nTool({
  name: 'n8n_edit_workflow',
  title: 'Edit workflow',
  description:
    'Applies small operations to one workflow or many, all or none for each: nodes, parameters by path, credentials, connections, settings, tags. Backs up first, returns what changed. A draft until you publish it.',
  effect: 'update',
  phrases:
    "add a node to a workflow; remove a node from the workflow; change a parameter of a node; rename a node; connect two nodes; disconnect nodes; insert a step between two nodes; swap the credential of a node; disable a node; make a small change in a workflow; modify an existing automation; move a node; tweak one step; change the schedule or cron of a trigger; change the url or text in a node; edit many workflows at once; set a node to retry on fail; change the message text in a step; update the url in a node; put another step into the flow; delete a step from my workflow; change when it runs, every 10 minutes instead of hourly; rewire nodes; replace a node by another; set a parameter; turn off one node; adjust an automation; change the prompt of the agent; add error handling to a node; use a different credential in a node; patch a workflow; edit code of a node; link a new node after another; let it run every 15 minutes instead of every hour; use another model in the agent node; put a filter between two nodes; the subject should say something else; drop the last node; send it to another channel; change the recipient; move the trigger to 7 o'clock; include one more field; add a condition; extend the flow by a step; take a step out; the text is wrong, correct it; make a node continue on error; pin data; add a note; insert a notification at the end; change the sql query; modify the schedule; set a value in the node; raise a limit in a step; send to another place instead; append a step that logs the result; detach one node from another; remove a connection; use a different account in the flow; correct a value in a node; put in an if; one more action at the end; shift a node; activate or deactivate a node; change the cron expression; change the condition; switch the model; fix a typo in a node; alter the flow a little; add a wait of five minutes; update a field in many workflows; bring a node into the workflow; turn retries on for a node; change the webhook path",
  tags: ['workflows'],
  guidance:
    'Operations run in order, and each sees the result of the ones before. A rename also changes connections, pinned data and expressions. Pass "expected_version" (from n8n_get_workflow) to be refused if somebody else changed it.',
  input: {
    id: idsInput,
    operations: z.array(operation).min(1).max(200).describe('Operations, in order'),
    expected_version: expectedVersionInput,
    publish: z
      .boolean()
      .optional()
      .describe('Publish the result and wait until it is live. Default: only save the draft'),
    dry_run: z.boolean().optional().describe('Only show what would change'),
    validate: validateInput,
  },
  output: z.object({
    edited: z.array(changeOutcome),
    failed: z.array(failure).optional().describe('Workflows that were not changed, and why'),
    note: z.string().optional(),
  }),
  examples: [
    {
      title: 'Another URL and a longer timeout',
      arguments: {
        id: 'aB3xY9kLmN0pQrSt',
        operations: [
          { op: 'set_parameter', node: 'Fetch', path: 'url', value: 'https://example.com/v2' },
          { op: 'set_parameter', node: 'Fetch', path: 'options.timeout', value: 30000 },
        ],
      },
    },
    {
      title: 'A node in between',
      arguments: {
        id: 'aB3xY9kLmN0pQrSt',
        operations: [
          { op: 'disconnect', from: 'Webhook', to: 'Answer' },
          {
            op: 'add_node',
            node: { name: 'Wait a bit', type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 1 } },
            after: 'Webhook',
          },
          { op: 'connect', from: 'Wait a bit', to: 'Answer' },
        ],
        publish: true,
      },
    },
    {
      title: 'A new credential wherever the old one is used',
      arguments: { id: ['id1', 'id2'], operations: [{ op: 'replace_credential', from: 'oldId', id: 'newId' }] },
    },
  ],
  async run(given, deps, { signal }) {
    const { client } = deps;
    const ids = idsOf(given.id);
    if (given.expected_version !== undefined && ids.length > 1) {
      throw new AppError(
        'invalid_input',
        'expected_version works for one workflow only: omit it, or edit one workflow.',
      );
    }
    const named = await withCredentialNames(client, given.operations, signal);
    const { operations, lines } = await withVersions(client, deps, named);
    const tags = await tagsFor(client, operations, given.dry_run ?? false, signal);
    const { done, failed } = await eachWorkflow(ids, signal, (id) =>
      client.turns.take(id, () => edit(client, deps, { ...given, id, operations, share: ids.length }, tags, signal)),
    );
    const unchecked = given.validate === 'off' ? undefined : notValidated(client, deps, ids.length);
    const note = [...lines, ...(unchecked === undefined ? [] : [unchecked])].join(' ');
    return { edited: done, ...(failed.length > 0 && { failed }), ...(note !== '' && { note }) };
  },
});

interface Wanted {
  id: string;
  operations: readonly Operation[];
  expected_version?: string | undefined;
  publish?: boolean | undefined;
  dry_run?: boolean | undefined;
  validate?: CheckMode | undefined;
  /** How many workflows this call edits. */
  share: number;
}

async function edit(
  client: N8nClient,
  deps: N8nDeps,
  { id, operations, expected_version: expectedVersion, publish, dry_run: dry, validate, share }: Wanted,
  tags: ReadonlyMap<string, Tag>,
  signal: AbortSignal,
) {
  let edited: { draft: Draft; warnings: readonly string[] } | undefined;
  const mode = dry && validate !== 'off' ? 'warn' : validate;
  const guard = saveGuard(client, deps, signal, { mode, publish, share });
  const think = async (now: Workflow) => {
    edited = applyOperations(draftOf(now), operations);
    const body = bodyOf(now, edited.draft);
    await guard.check(body, now);
    return body;
  };
  if (dry) {
    const before = await existingWorkflow(client, id, signal);
    const body = await think(before);
    const after = { ...before, ...body, tags: tagsNamed(edited?.draft.tags ?? [], tags, before) };
    return {
      ...outcomeOf({ before, after, warnings: edited?.warnings ?? [], ...guard.told() }, share),
      note: 'dry_run: nothing was changed.',
    };
  }
  const changed = await changeWorkflow(client, deps, { id, reason: 'edit', expectedVersion, signal }, think);
  const { before } = changed;
  const wanted = tagsNamed(edited?.draft.tags ?? [], tags, before);
  const own = before.tags ?? [];
  const sameTags = wanted.length === own.length && wanted.every(({ id: tag }) => own.some((one) => one.id === tag));
  const now = sameTags ? own : await assignTags(client, id, wanted);
  const published = publish ? await publishSaved(client, changed.after, signal) : undefined;
  return outcomeOf(
    {
      ...changed,
      after: { ...(published?.workflow ?? changed.after), tags: now },
      warnings: edited?.warnings ?? [],
      publication: published?.publication,
      ...guard.told(),
    },
    share,
  );
}

function draftOf({ name, description, nodes, connections, settings, pinData, tags }: Workflow): Draft {
  return { name, description, nodes, connections, settings, pinData, tags: (tags ?? []).map((tag) => tag.name) };
}

function bodyOf(now: Workflow, { tags: _, ...draft }: Draft) {
  return writable({ ...now, ...draft, nodeGroups: groupsWithin(now.nodeGroups, draft.nodes) });
}

function tagsNamed(names: readonly string[], known: ReadonlyMap<string, Tag>, { tags }: Workflow): Tag[] {
  return names.map((name) => known.get(name) ?? (tags ?? []).find((tag) => tag.name === name) ?? { id: '', name });
}

/** Looks up or creates the tags before any workflow is changed. */
async function tagsFor(client: N8nClient, operations: readonly Operation[], dry: boolean, signal: AbortSignal) {
  const tags = new Map<string, Tag>();
  for (const one of operations) {
    if (one.op !== 'add_tags' && one.op !== 'set_tags') continue;
    if (dry && one.create) continue;
    for (const tag of await tagIds(client, one.tags, one.create ?? false, signal)) tags.set(tag.name, tag);
  }
  return tags;
}

async function withVersions(client: N8nClient, deps: N8nDeps, operations: readonly Operation[]) {
  const added = operations.flatMap((one) => (one.op === 'add_node' ? [one.node] : []));
  const { nodes, lines } = await withNewestVersions(added, client, deps);
  const versioned = new Map(added.map((node, index) => [node, nodes[index] as (typeof nodes)[number]]));
  return {
    lines,
    operations: operations.map((one) =>
      one.op === 'add_node' ? { ...one, node: versioned.get(one.node) ?? one.node } : one,
    ),
  };
}

/** Adds credential names: n8n stores the name next to the id and shows it. */
async function withCredentialNames(client: N8nClient, operations: readonly Operation[], signal: AbortSignal) {
  return Promise.all(
    operations.map(async (one) => {
      if ((one.op !== 'set_credential' && one.op !== 'replace_credential') || one.name !== undefined) return one;
      try {
        const { name, type } = await client.credentials.get(one.id, signal);
        if (one.op === 'set_credential' && one.type !== type) {
          throw new AppError(
            'invalid_input',
            `The credential ${one.id} ("${name}") has the type ${type}, not ${one.type}.`,
          );
        }
        return { ...one, name };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        throw new AppError('not_found', `No credential ${one.id}. n8n_list_credentials shows them.`, { cause: error });
      }
    }),
  );
}
