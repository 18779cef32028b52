import type { Found } from '../../discover.ts';
import { abreast } from './abreast.ts';
import { alignEndpoint, type Attempted, type Endpoint } from './endpoint-group.ts';
import type { NamedTool } from './endpoint.ts';
import type { Generated } from '../../../n8n/generate/generated-in.ts';
import { sift, type Verdict } from './sift.ts';
import { deleteGenerated, type Writing } from '../../../n8n/generate/write.ts';

/** Tools per endpoint. n8n loads all tools of an endpoint for each call. */
const MOST_TOGETHER = 50;
/** Most of the time is spent waiting for n8n to publish, so several at once do not overload it. */
const ABREAST = 4;

/** A workflow, and the tools to bridge. */
export interface Wanted {
  readonly found: Found;
  readonly tools: readonly NamedTool[];
}

/** A tool that n8n refused. */
export interface Refused {
  readonly key: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly reason: string;
}

export interface AlignedSource {
  readonly endpoints: readonly Endpoint[];
  readonly refused: readonly Refused[];
}

/** The result of the last alignment. */
export interface Past {
  readonly endpoints: readonly Endpoint[];
  readonly refused: readonly Refused[];
}

const alonePart = ({ key }: NamedTool): string => `tool ${key}`;

/**
 * Updates the endpoints of one workflow. Its tools share an endpoint, to keep n8n tidy. A tool that breaks it for the
 * others gets its own, and so does an MCP client node, which depends on another server.
 */
export async function alignSource(
  writing: Writing,
  { found, tools: all }: Wanted,
  existing: readonly Generated[],
  past: Past,
): Promise<AlignedSource> {
  const before = past.endpoints;
  const used = new Set<string>();
  const endpoints: Endpoint[] = [];
  // Do not retry a refused tool until it changes.
  const isRefused = (tool: NamedTool) => (one: Refused) =>
    one.key === tool.key && one.fingerprint === tool.found.fingerprint;
  const refused = past.refused.filter((one) => all.some((tool) => isRefused(tool)(one)));
  const tools = all.filter((tool) => !refused.some(isRefused(tool)));
  const isAlone = (tool: NamedTool) =>
    tool.found.isToolkit || before.some((one) => one.part === alonePart(tool) && holds(one, tool));
  const alone = tools.filter(isAlone);
  const shared = tools.filter((tool) => !isAlone(tool));

  const groups = Array.from({ length: Math.ceil(shared.length / MOST_TOGETHER) }, (_, index) => ({
    part: index === 0 ? 'tools' : `tools ${index + 1}`,
    members: shared.slice(index * MOST_TOGETHER, (index + 1) * MOST_TOGETHER),
  }));
  for (const { bad, endpoint } of await abreast(groups, ABREAST, ({ part, members }) => alignShared(part, members))) {
    alone.push(...bad.map(({ item }) => item));
    if (endpoint) endpoints.push(endpoint);
  }
  const attempts = await abreast(alone, ABREAST, async (tool) => {
    const part = alonePart(tool);
    const group = { source: found, part, tools: [tool] };
    return { tool, ...(await alignEndpoint(writing, group, generatedOf(part), endpointOf(part))) };
  });
  for (const { tool, endpoint, failure, generated } of attempts) {
    if (endpoint && generated) {
      used.add(generated.workflow.id);
      endpoints.push(endpoint);
    } else {
      const { key, name, found: refusedTool } = tool;
      const reason = failure?.reason ?? 'n8n refused it.';
      refused.push({ key, name, fingerprint: refusedTool.fingerprint, reason });
    }
  }
  // Delete last, so that a tool that moves to another endpoint stays available.
  for (const { workflow } of existing)
    if (!used.has(workflow.id)) await deleteGenerated(writing.client, workflow.id, writing.signal);
  return { endpoints, refused };

  function generatedOf(part: string): Generated | undefined {
    return existing.find(({ mark }) => mark.part === part);
  }

  function endpointOf(part: string): Endpoint | undefined {
    return before.find((one) => one.part === part);
  }

  async function alignShared(part: string, members: readonly NamedTool[]) {
    let last: Attempted = {};
    let generated = generatedOf(part);
    const trusted = endpointOf(part);
    const wasWell = (tool: NamedTool) => trusted !== undefined && trusted.problem === undefined && holds(trusted, tool);
    const attempt = async (items: readonly NamedTool[]): Promise<Verdict<NamedTool>> => {
      // Always in the order of the workflow, so that the same tools give the same hash.
      const ordered = members.filter((member) => items.includes(member));
      last = await alignEndpoint(writing, { source: found, part, tools: ordered }, generated, trusted);
      generated = last.generated;
      if (!last.failure) return { ok: true };
      const { node, reason } = last.failure;
      const culprits = node === undefined ? [] : items.filter((item) => concerns(item, node));
      return { ok: false, reason, culprits };
    };
    const { good, bad } = await sift(
      members.filter(wasWell),
      members.filter((tool) => !wasWell(tool)),
      attempt,
    );
    if (good.length > 0 && generated) used.add(generated.workflow.id);
    else if (generated && !existing.some(({ workflow }) => workflow.id === generated?.workflow.id))
      await deleteGenerated(writing.client, generated.workflow.id, writing.signal);
    return { bad, endpoint: good.length > 0 ? last.endpoint : undefined };
  }
}

const holds = (endpoint: Endpoint, { key, name, found }: NamedTool): boolean =>
  endpoint.tools.some((one) => one.key === key && one.name === name && one.fingerprint === found.fingerprint);

/** Whether the node is this tool, under the name of its copy, or one of its sub-nodes. */
const concerns = ({ name, found }: NamedTool, node: string): boolean =>
  node === name || found.closure.some((one) => one.name === node);
