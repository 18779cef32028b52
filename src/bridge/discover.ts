import type { Node, Workflow } from '../n8n/client/shapes.ts';
import { triggersOf } from '../n8n/running/triggers.ts';
import { byPreference } from '../n8n/running/ways.ts';
import { isGenerated } from '../n8n/generated.ts';
import { projectOf } from '../n8n/workflows/project.ts';
import { liveVersion } from '../n8n/workflows/published.ts';
import { aiToolsOf, type FoundTool } from './ai-tools/ai-tools.ts';
import { chosenBy, type Choice, type Chosen } from './chosen-by.ts';
import { type Leads, leadsOf } from './loops/leads.ts';
import type { Choosing } from './settings.ts';

export type { FoundTool } from './ai-tools/ai-tools.ts';

/** What could be bridged of one workflow. Keeps only the nodes that matter, to save memory with many workflows. */
export interface Found {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly project?: { readonly id: string; readonly name?: string };
  readonly tags: readonly string[];
  readonly published: boolean;
  readonly archived: boolean;
  /** The time zone its tools run in. */
  readonly timezone?: string;
  /** All nodes that are connected as a tool. */
  readonly aiTools: readonly FoundTool[];
  readonly trigger?: FoundTrigger;
  /** Workflows and URLs that its nodes call, to detect loops. */
  readonly leads?: Leads;
  /** Why its AI tools are chosen; undefined if they are not. */
  readonly toolsChosen?: Chosen;
  /** Why the workflow itself is chosen; undefined if it is not. */
  readonly chosen?: Chosen;
  /** The configuration excludes it. Overrides everything else. */
  readonly excluded?: true;
}

/** The trigger that a call of the workflow uses. */
export interface FoundTrigger {
  readonly node: Node;
  /** Data the user pinned to it: an example of its input. */
  readonly pinned?: unknown;
  /** The trigger's note and the workflow's sticky notes. One of them may describe the tool. */
  readonly notes?: readonly string[];
}

/** Undefined for a generated workflow, and for one with nothing to bridge. */
export function discover(workflow: Workflow, choosing: Choosing): Found | undefined {
  if (isGenerated(workflow)) return undefined;
  // Prefer the published version: the draft may be unfinished.
  const version = liveVersion(workflow) ?? workflow;
  const aiTools = aiToolsOf(version);
  const trigger = triggerOf(workflow, version.nodes);
  if (aiTools.length === 0 && !trigger) return undefined;
  const { id, name, description, isArchived: archived, active: published } = workflow;
  const tags = (workflow.tags ?? []).map((tag) => tag.name);
  const project = projectOf(workflow);
  const timezone = workflow.settings?.timezone;
  const leads = leadsOf(version.nodes);
  const availableInMCP = workflow.settings?.availableInMCP === true;
  const choice: Choice = archived ? {} : chosenBy({ id, name, availableInMCP }, tags, project, choosing);
  const isNamed = ({ node }: FoundTool) => choosing.named?.has({ id, name }, node) === true;
  const byFile = !archived && !choice.excluded && aiTools.some(isNamed) ? 'file' : undefined;
  const toolsChosen = choice.tools ?? byFile;
  return {
    id,
    name,
    ...(description && { description }),
    ...(project && { project }),
    tags,
    published,
    archived,
    ...(typeof timezone === 'string' && timezone !== 'DEFAULT' && { timezone }),
    aiTools,
    ...(trigger && { trigger }),
    ...(leads && { leads }),
    ...(aiTools.length > 0 && toolsChosen && { toolsChosen }),
    ...(trigger && choice.workflow && { chosen: choice.workflow }),
    ...(choice.excluded && { excluded: choice.excluded }),
  };
}

function triggerOf({ pinData }: Workflow, nodes: readonly Node[]): FoundTrigger | undefined {
  const [first] = triggersOf(nodes)
    .filter(({ way }) => way.outside)
    .sort(byPreference);
  if (!first) return undefined;
  const { node } = first;
  const { name, notes } = node;
  const pinned = pinData && Object.hasOwn(pinData, name) ? pinData[name] : undefined;
  const written = [notes, ...nodes.filter(isSticky).map(({ parameters }) => parameters.content)];
  const texts = written.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
  return { node, ...(pinned !== undefined && { pinned }), ...(texts.length > 0 && { notes: texts }) };
}

const isSticky = ({ type }: Node): boolean => type === 'n8n-nodes-base.stickyNote';
