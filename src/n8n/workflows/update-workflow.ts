import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { pinsOf } from '../items.ts';
import { assignTags, tagsThatExist } from '../tags/names.ts';
import { n8nTool } from '../tool.ts';
import { saveGuard, validateInput } from '../validation/on-save.ts';
import { completedNodes, groupsWithin, writable } from './body.ts';
import { changeWorkflow } from './change.ts';
import { assertDistinct } from './create-workflow.ts';
import { expectedVersionInput, idInput } from './id-input.ts';
import { withNewestVersions } from './newest-versions.ts';
import { connectionsInput, nodeInput } from './node-input.ts';
import { changeOutcome, outcomeOf } from './outcome.ts';
import { type Pasted, pasteable, pastedInput } from './pasted.ts';
import { publishSaved } from './publish.ts';
import { checkedSettings, onlySettings, settingsInput } from './settings.ts';

export const updateWorkflow = n8nTool({
  name: 'n8n_update_workflow',
  title: 'Update workflow',
  description:
    'Replaces a workflow: all nodes and connections, or only its name, description or settings; also from a pasted export. Backs up first and saves a draft: publish it to make it live. For small changes use n8n_edit_workflow.',
  effect: 'update',
  phrases:
    "replace a whole workflow; overwrite a workflow with json; rename a workflow; change the description of a workflow; change the settings of a workflow; save new nodes and connections; rewrite an automation; set the error workflow; set the timezone of a workflow; execution timeout of a workflow; give the workflow another name; save this as the new content of the workflow; replace everything in the flow; upload a new version of the workflow json; change the title of an automation; write all nodes anew; change workflow settings such as timezone or timeout; new description for a flow; rename my automation; rewrite the workflow completely; here is the whole new definition, store it over the old one; give it a better title; errors should go to another workflow; change the name of the flow; set the workflow's caller policy or save settings; swap the complete content; new nodes for the whole workflow; put this json in place of the old flow; edit the workflow description; let the workflow time out after an hour; this is the new full json, put it in place; set its time zone; call the workflow something else; exchange the whole flow; rewrite all; replace nodes and connections; update name and description; change the workflow title; modify workflow settings; save a changed json; choose the error workflow; redefine a workflow",
  tags: ['workflows'],
  guidance:
    'Existing nodes (same id, or same name and type) keep what you omit: id, position, credentials, notes, webhook id. Nodes that you do not list are removed. Pinned data, static data, tags and settings stay; those of a pasted export are added. The "id" you pass overrides the id in a pasted export.',
  takesMore: true,
  reads: pasteable,
  input: {
    id: idInput.optional().describe('Workflow id; optional if the pasted workflow has one'),
    workflow: pastedInput,
    name: z.string().min(1).max(128).optional().describe('Its new name'),
    description: z.string().max(5000).optional().describe('What it is for'),
    nodes: z.array(nodeInput).max(5000).optional().describe('All its nodes; nodes you omit are removed'),
    connections: connectionsInput.optional(),
    settings: settingsInput.optional(),
    expected_version: expectedVersionInput,
    exact: z
      .boolean()
      .optional()
      .describe('Remove what you omit: node options, credentials, description, groups, settings. Pinned data stays'),
    publish: z.boolean().optional().describe('Publish it and wait until it is live. Default: only save the draft'),
    validate: validateInput,
  },
  output: changeOutcome,
  examples: [{ title: 'Another name', arguments: { id: 'aB3xY9kLmN0pQrSt', name: 'Invoices (new)' } }],
  async run(given, deps, { signal }) {
    const { client } = deps;
    const { workflow: pasted, expected_version: expectedVersion, exact = false } = given;
    const id = given.id ?? pasted?.id;
    if (id === undefined) {
      throw new AppError(
        'invalid_input',
        'n8n_update_workflow was not called: id is missing. n8n_list_workflows shows the ids.',
      );
    }
    assertDistinct((given.nodes ?? []).map(({ name }) => name));
    const guard = saveGuard(client, deps, signal, { mode: given.validate, publish: given.publish });
    const notes = pasted?.lines() ?? [];
    return client.turns.take(id, async () => {
      const asked = { id, reason: 'update' as const, expectedVersion, signal };
      const changed = await changeWorkflow(client, deps, asked, async (now) => {
        const connections = given.connections ?? now.connections;
        const { nodes, lines } = given.nodes
          ? await withNewestVersions(completedNodes(given.nodes, connections, now.nodes, exact), client, deps)
          : { nodes: now.nodes, lines: [] };
        notes.push(...lines, ...(pasted ? otherWorkflow(pasted, now) : []));
        const wanted = checkedSettings(given.settings ?? {});
        const { settings, kept } = exact ? onlySettings(wanted, now.settings) : { settings: wanted, kept: [] };
        if (kept.length > 0) notes.push(`n8n cannot remove these settings, so they stay: ${kept.join(', ')}.`);
        const body = writable({
          ...now,
          nodes,
          name: given.name ?? now.name,
          connections,
          description: given.description ?? (exact && now.description ? '' : now.description),
          settings: { ...now.settings, ...settings },
          pinData: pasted?.pinData ? { ...(!exact && now.pinData), ...pinsOf(pasted.pinData) } : now.pinData,
          nodeGroups: groupsWithin(pasted?.nodeGroups ?? (exact ? [] : now.nodeGroups), nodes),
        });
        await guard.check(body, now);
        return body;
      });
      const tags = await withTags(client, changed.before, pasted?.tags ?? [], signal);
      notes.push(...tags.lines);
      const published = given.publish ? await publishSaved(client, changed.after, signal) : undefined;
      return outcomeOf({
        ...changed,
        after: { ...(published?.workflow ?? changed.after), tags: tags.tags },
        notes,
        publication: published?.publication,
        ...guard.told(),
      });
    });
  },
});

/** A note if the pasted workflow was another one, or an older version. */
function otherWorkflow({ id, versionId }: Pasted, now: Workflow): string[] {
  if (id !== undefined && id !== now.id) return [`You pasted the workflow ${id}; it was written into ${now.id}.`];
  if (versionId === undefined || versionId === now.versionId) return [];
  return [`You pasted version ${versionId}; the workflow was at ${now.versionId ?? 'another version'}.`];
}

/** Adds the tags of an export and keeps the existing ones, so that an export without tags removes none. */
async function withTags(client: N8nClient, { id, tags }: Workflow, names: readonly string[], signal: AbortSignal) {
  const own = tags ?? [];
  const fresh = names.filter((name) => !own.some((tag) => tag.name === name));
  if (fresh.length === 0) return { tags: own, lines: [] };
  const { tags: found, line } = await tagsThatExist(
    client,
    fresh,
    signal,
    'n8n_set_workflow_tags creates and adds them',
  );
  const now = found.length > 0 ? await assignTags(client, id, [...own, ...found]) : own;
  return { tags: now, lines: line === undefined ? [] : [line] };
}
