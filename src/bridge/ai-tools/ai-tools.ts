import { createHash } from 'node:crypto';
import type { Connections, Node } from '../../n8n/client/shapes.ts';
import { stableJson } from '../../n8n/generate/stable-json.ts';
import { contextUsed } from './run-context.ts';
import type { Version } from '../../n8n/workflows/published.ts';

/** A node that is connected as a tool. */
export interface FoundTool {
  readonly node: Node;
  /** Its sub-nodes, directly or indirectly, by `ai_*` connections. */
  readonly closure: readonly Node[];
  /** The connections between the tool and its sub-nodes, by name. */
  readonly links: Connections;
  /** Changes when the tool changes. */
  readonly fingerprint: string;
  /** An MCP client node. It provides all tools of another server. */
  readonly isToolkit: boolean;
  /** Why it cannot be bridged. */
  readonly reason?: string;
}

const toolkits = /\.(mcpClientTool|mcpRegistryClientTool)$/;
const gates = /HitlTool$/;

/** All enabled nodes that are connected as a tool. */
export function aiToolsOf({ nodes, connections }: Version): FoundTool[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const feeds = subNodes(connections);
  return nodes.flatMap((node) => {
    if (node.disabled) return [];
    const users = targets(connections, node.name, 'ai_tool').flatMap((name) => byName.get(name) ?? []);
    if (users.length === 0) return [];
    const names = closureOf(node.name, feeds);
    const closure = nodes.filter((one) => one !== node && names.has(one.name) && !one.disabled);
    const links = linksWithin(connections, new Set([node.name, ...closure.map(({ name }) => name)]));
    const reason = gateReason(node, users) ?? contextReason(node, closure);
    return [
      {
        node,
        closure,
        links,
        fingerprint: fingerprintOf([node, ...closure], links),
        isToolkit: toolkits.test(node.type),
        ...(reason !== undefined && { reason }),
      },
    ];
  });
}

/** A tool that needs approval by a person in n8n must not be callable without it. */
function gateReason(node: Node, users: readonly Node[]): string | undefined {
  if (gates.test(node.type)) return 'It asks a person during the run of an agent, and a bridged tool has no agent.';
  const gate = users.find(({ type }) => gates.test(type));
  return gate && `"${gate.name}" asks a person before each use. A bridged tool would skip that.`;
}

function contextReason(node: Node, closure: readonly Node[]): string | undefined {
  for (const one of [node, ...closure]) {
    const used = contextUsed(one);
    if (!used) continue;
    const whose = one === node ? 'Its' : `The`;
    const where = one === node ? used.where : `${used.where} of its "${one.name}"`;
    return `${whose} ${where} uses ${used.what}, which exists only while its own workflow runs. Use $fromAI('name', 'what it is') to ask the caller instead.`;
  }
  return undefined;
}

function targets(connections: Connections, from: string, kind: string): string[] {
  const own = Object.hasOwn(connections, from) ? connections[from] : undefined;
  const outputs = own && Object.hasOwn(own, kind) ? (own[kind] ?? []) : [];
  return outputs.flatMap((output) => (output ?? []).map(({ node }) => node));
}

/** By node: the sub-nodes connected to it by an `ai_*` connection. */
function subNodes(connections: Connections): Map<string, string[]> {
  const feeds = new Map<string, string[]>();
  for (const [from, kinds] of Object.entries(connections))
    for (const kind of Object.keys(kinds).filter(isAi))
      for (const to of targets(connections, from, kind)) feeds.set(to, [...(feeds.get(to) ?? []), from]);
  return feeds;
}

const isAi = (kind: string): boolean => kind.startsWith('ai_');

function closureOf(root: string, feeds: ReadonlyMap<string, readonly string[]>): Set<string> {
  const names = new Set([root]);
  for (const name of names) for (const feeder of feeds.get(name) ?? []) names.add(feeder);
  return names;
}

function linksWithin(connections: Connections, names: ReadonlySet<string>): Connections {
  const kept: [string, Connections[string]][] = [];
  for (const [from, kinds] of Object.entries(connections)) {
    if (!names.has(from)) continue;
    const own = Object.entries(kinds)
      .filter(([kind]) => isAi(kind))
      .map(([kind, outputs]): [string, Connections[string][string]] => [
        kind,
        outputs.map((output) => (output ?? []).filter(({ node }) => names.has(node))),
      ])
      .filter(([, outputs]) => outputs.some((output) => (output ?? []).length > 0));
    if (own.length > 0) kept.push([from, Object.fromEntries(own)]);
  }
  return Object.fromEntries(kept);
}

/** Ignores the position on the canvas and notes: they do not change the tool. */
function fingerprintOf(nodes: readonly Node[], links: Connections): string {
  const essence = nodes.map(({ position: _, notes: _notes, notesInFlow: _shown, webhookId: _hook, ...rest }) => rest);
  return createHash('sha256')
    .update(stableJson([essence, links]))
    .digest('base64url')
    .slice(0, 22);
}
