import { globMatcher } from '../kernel/glob.ts';
import type { Node, Workflow } from '../n8n/client/shapes.ts';
import { triggersOf } from '../n8n/executions/triggers.ts';
import { isGenerated } from '../n8n/generated.ts';
import { aiToolsOf, type FoundTool } from './ai-tools.ts';
import type { BridgeSettings } from './settings.ts';
import { effectiveVersion } from './version.ts';

export type { FoundTool } from './ai-tools.ts';

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
  /** The nodes in it that call tools of an MCP server, which may be us. */
  readonly mcpClients?: readonly Node[];
  /** Why its AI tools are chosen; undefined where nobody chose them. */
  readonly toolsChosen?: Chosen;
  /** Why it is a tool itself; undefined where nobody chose it. */
  readonly chosen?: Chosen;
}

export type Chosen = 'tag' | 'config' | 'available_in_mcp';

export interface FoundTrigger {
  readonly kind: 'executeWorkflow' | 'webhook' | 'form' | 'chat';
  readonly node: Node;
  /** Its pinned data, where the user has pinned some: an example of what it is given. */
  readonly pinned?: unknown;
  /** Notes of the workflow that describe the tool. */
  readonly notes?: readonly string[];
}

const mcpClient = /\.mcp(?:Client|ClientTool|RegistryClientTool)$/;

/** Undefined for a workflow that we generated, and for one that has nothing to offer. */
export function discover(workflow: Workflow, settings: BridgeSettings): Found | undefined {
  if (isGenerated(workflow)) return undefined;
  const version = effectiveVersion(workflow);
  const aiTools = aiToolsOf(version);
  const trigger = triggerOf(workflow, version.nodes);
  if (aiTools.length === 0 && !trigger) return undefined;
  const { id, name, description, isArchived: archived, active: published } = workflow;
  const tags = (workflow.tags ?? []).map((tag) => tag.name);
  const project = projectOf(workflow);
  const timezone = workflow.settings?.timezone;
  const mcpClients = version.nodes.filter(({ type, disabled }) => !disabled && mcpClient.test(type));
  const choice = archived ? {} : chosenBy(workflow, tags, project, settings);
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
    ...(mcpClients.length > 0 && { mcpClients }),
    ...(aiTools.length > 0 && choice.tools && { toolsChosen: choice.tools }),
    ...(trigger && choice.workflow && { chosen: choice.workflow }),
  };
}

interface Choice {
  tools?: Chosen | undefined;
  workflow?: Chosen | undefined;
}

/** A tag or a name that chooses a workflow chooses its AI tools with it; a switch for running it does not. */
function chosenBy(workflow: Workflow, tags: readonly string[], project: Found['project'], settings: BridgeSettings) {
  const { workflows, tools, projects } = settings;
  const fits = (globs: readonly string[]) => matches(globs, [workflow.id, workflow.name]);
  const home = project ? [project.id, ...(project.name === undefined ? [] : [project.name])] : [];
  if (projects.include.length > 0 && !matches(projects.include, home)) return {};
  if (matches(projects.exclude, home) || fits(workflows.exclude)) return {};
  const tagged = (tag: string) => tag !== '' && tags.includes(tag);
  const byName: Chosen | undefined = fits(workflows.include) ? 'config' : undefined;
  const byTag: Chosen | undefined = tagged(workflows.tag) ? 'tag' : undefined;
  const available = workflows.availableInMCP && workflow.settings?.availableInMCP === true;
  const choice: Choice = {
    tools: byName ?? (fits(tools.workflows) ? 'config' : undefined) ?? byTag ?? (tagged(tools.tag) ? 'tag' : undefined),
    workflow: byName ?? byTag ?? (available ? 'available_in_mcp' : undefined),
  };
  return choice;
}

function matches(globs: readonly string[], names: readonly string[]): boolean {
  if (globs.length === 0) return false;
  const fits = globMatcher(globs);
  return names.some((name) => globs.includes(name) || fits(name));
}

const kinds: Readonly<Record<string, FoundTrigger['kind']>> = {
  'sub-workflow': 'executeWorkflow',
  webhook: 'webhook',
  form: 'form',
  chat: 'chat',
};
/** The way that says most of what the workflow takes comes first. */
const preference: readonly FoundTrigger['kind'][] = ['executeWorkflow', 'webhook', 'chat', 'form'];

function triggerOf({ pinData }: Workflow, nodes: readonly Node[]): FoundTrigger | undefined {
  const found = triggersOf(nodes).flatMap(({ kind, node }) => {
    const own = kinds[kind];
    return own === undefined || node.type.endsWith('manualChatTrigger') ? [] : [{ kind: own, node }];
  });
  const [first] = found.sort((a, b) => preference.indexOf(a.kind) - preference.indexOf(b.kind));
  if (!first) return undefined;
  const { name, notes } = first.node;
  const pinned = pinData && Object.hasOwn(pinData, name) ? pinData[name] : undefined;
  const written = [notes, ...nodes.filter(isSticky).map(({ parameters }) => parameters.content)];
  const texts = written.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
  return { ...first, ...(pinned !== undefined && { pinned }), ...(texts.length > 0 && { notes: texts }) };
}

const isSticky = ({ type }: Node): boolean => type === 'n8n-nodes-base.stickyNote';

/** Lists give the id of the project alone. */
export function projectOf({ shared }: Workflow): Found['project'] {
  const owner = Array.isArray(shared)
    ? (shared as Record<string, unknown>[]).find(({ role }) => role === 'workflow:owner')
    : undefined;
  if (typeof owner?.projectId !== 'string') return undefined;
  const name = (owner.project as { name?: unknown } | undefined)?.name;
  return { id: owner.projectId, ...(typeof name === 'string' && { name }) };
}
