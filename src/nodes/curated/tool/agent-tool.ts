/** Nodes that n8n also offers as agent tools. The agent fills in the `$fromAI` values. */
import { fragmentNode } from '../../fragments/fragment.ts';
import { attaches } from '../ports.ts';
import type { Configuration, CuratedExample, CuratedSpec, Field } from '../spec.ts';

export interface AgentTool {
  readonly subtype: string;
  readonly node: string;
  readonly name: string;
  readonly description: string;
  readonly credential: string;
  readonly configurations: Readonly<Record<string, Configuration>>;
  /** What the agent fills in. */
  readonly inputParams: Readonly<Record<string, Field>>;
  readonly outputParams: Readonly<Record<string, Field>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly example: CuratedExample;
  readonly remark?: string;
}

/** `names`: see CuratedSpec. */
export function agentTool(tool: AgentTool, names = true): CuratedSpec {
  const { node, name, parameters, credential, example, remark, ...spec } = tool;
  return {
    ...spec,
    type: 'TOOL',
    nodes: [node],
    names,
    tags: ['tool', 'ai', 'agent', ...tool.tags],
    inputPorts: [],
    outputPorts: [attaches(name, 'ai_tool', 'To the ai_tool input of an agent or of an MCP Server Trigger')],
    examples: [example],
    guidance: `Attach it with a connection of type ai_tool from "${name}" to an agent (AI_AGENT). It does nothing in the main flow. The model sees the node name as the tool name. ${credential}${remark === undefined ? '' : ` ${remark}`}`,
    fragment: (catalogue) => ({
      nodes: [fragmentNode(catalogue, node, { name, parameters })],
      connections: {},
    }),
  };
}

/** An argument that the agent chooses. */
export function chosenByAgent(
  name: string,
  description: string,
  type: 'string' | 'number' | 'boolean' = 'string',
): string {
  return `={{ $fromAI('${name}', '${description}', '${type}') }}`;
}
