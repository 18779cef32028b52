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

/** What of one workflow could be bridged. Only the nodes that matter are kept: of a thousand workflows most have none. */
export interface Found {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly project?: { readonly id: string; readonly name?: string };
  readonly tags: readonly string[];
  readonly published: boolean;
  readonly archived: boolean;
  /** What its tools take as the time of day. */
  readonly timezone?: string;
  /** Every node that is connected as a tool. */
  readonly aiTools: readonly FoundTool[];
  readonly trigger?: FoundTrigger;
  /** What its nodes run and call in their turn, which may be us. */
  readonly leads?: Leads;
  /** Why its AI tools are chosen; undefined where nobody chose them. */
  readonly toolsChosen?: Chosen;
  /** Why it is a tool itself; undefined where nobody chose it. */
  readonly chosen?: Chosen;
  /** The configuration says that it is none, whatever else is said. */
  readonly excluded?: true;
}

/** The trigger by which it can be run. */
export interface FoundTrigger {
  readonly node: Node;
  /** Its pinned data, where the user has pinned some: an example of what it is given. */
  readonly pinned?: unknown;
  /** Notes of the workflow that describe the tool. */
  readonly notes?: readonly string[];
}

/** Undefined for a workflow that we generated, and for one that has nothing to offer. */
export function discover(workflow: Workflow, choosing: Choosing): Found | undefined {
  if (isGenerated(workflow)) return undefined;
  // A draft that somebody works on is nobody else's yet.
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
    ...(aiTools.length > 0 && choice.tools && { toolsChosen: choice.tools }),
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
