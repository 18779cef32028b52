import type { GraphEdge, GraphNode, GraphNote } from '../../console/client/ui/graph/drawing.ts';
import type { Tone } from '../../console/client/ui/state.tsx';
import type { Drawing, Run } from '../drawing/shapes.ts';
import type { Finding } from './answers.ts';
import { counted } from './counted.ts';

export interface DrawnWorkflow {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly notes: readonly GraphNote[];
  /** Links to or from nodes that do not exist, in words. */
  readonly dangling: readonly string[];
}

type DrawnNode = Drawing['nodes'][number];
type Link = Drawing['links'][number];
type RanNode = Run['nodes'][number];

/** Our boxes are wider than n8n's, so everything moves apart. */
const WIDER = 1.3;
const TALLER = 1.1;
/** Nobody finds a node that is farther away. */
const FARTHEST = 200_000;
const NOTE = 'n8n-nodes-base.stickyNote';

/** What to draw: a workflow, what ran of it, and what the validator says about it. */
export function drawnWorkflow(
  { nodes: all, links }: Pick<Drawing, 'nodes' | 'links'>,
  run: Pick<Run, 'nodes'> | undefined,
  findings: readonly Finding[],
): DrawnWorkflow {
  const nodes = new Map(all.filter(({ type }) => type !== NOTE).map((one) => [one.name, one]));
  const ran = run && new Map(run.nodes.map((one) => [one.node, one]));
  const found = Map.groupBy(findings, ({ node = '' }) => node);
  const isPlaced = haveOwnPlaces([...nodes.values()]);
  const known = links.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return {
    nodes: [...nodes.values()].map((node) => box(node, ran, found.get(node.name) ?? [], isPlaced)),
    edges: known.map((link) => line(link, nodes.get(link.from) as DrawnNode, ran)),
    notes: notesOf(
      all.filter(({ type }) => type === NOTE),
      isPlaced,
    ),
    dangling: links
      .filter(({ from, to }) => !nodes.has(from) || !nodes.has(to))
      .map(({ from, to }) => `${from} → ${to}`),
  };
}

function box(
  node: DrawnNode,
  ran: ReadonlyMap<string, RanNode> | undefined,
  findings: readonly Finding[],
  isPlaced: boolean,
): GraphNode {
  const { name, title, type, at, disabled } = node;
  const did = ran?.get(name);
  const badge = [ranWords(did), foundWords(findings)].filter((part) => part !== '').join(' · ');
  return {
    id: name,
    label: name,
    detail: `${title ?? type.replace(/^.*\./, '')}${disabled ? ', disabled' : ''}`,
    tone: ran ? ranTone(did) : foundTone(findings),
    ...(badge !== '' && { badge }),
    ...(isPlaced && at && { at: scaled(at) }),
    dim: disabled === true || (ran !== undefined && !did),
  };
}

function ranTone(did: RanNode | undefined): Tone | undefined {
  if (!did) return undefined;
  return did.failed ? 'bad' : did.pinned ? 'info' : 'good';
}

function ranWords(did: RanNode | undefined): string {
  if (!did) return '';
  if (did.pinned) return 'pinned';
  const times = did.runs > 1 ? `, ${did.runs} runs` : '';
  return did.failed ? `failed${times}` : `${counted(did.items, 'item')}${times}`;
}

function foundTone(findings: readonly Finding[]): Tone | undefined {
  if (findings.some(({ severity }) => severity === 'error')) return 'bad';
  return findings.some(({ severity }) => severity === 'warning') ? 'warn' : undefined;
}

function foundWords(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  if (errors > 0) return counted(errors, 'error');
  return warnings > 0 ? counted(warnings, 'warning') : '';
}

function line(link: Link, from: DrawnNode, ran: ReadonlyMap<string, RanNode> | undefined): GraphEdge {
  const { to, kind, output, input } = link;
  if (kind !== 'main') return { from: link.from, to, label: kindWords(kind), dashed: true, up: true };
  const { outputs = [] } = from;
  const name = outputs[output];
  const items = ran && passed(ran, link);
  const words = [outputs.length > 1 ? name || String(output + 1) : '', items ? counted(items, 'item') : ''];
  const label = words.filter((part) => part !== '').join(' · ');
  const tone = items ? (name === 'error' ? 'bad' : 'good') : undefined;
  return {
    from: link.from,
    to,
    ...(label !== '' && { label: input > 0 ? `${label} → ${input + 1}` : label }),
    ...(tone && { tone }),
    ...(outputs.length > 1 && output < outputs.length && { way: { index: output, of: outputs.length } }),
  };
}

/** How many items went this way. The receiver knows best; before it ran, the output does. */
function passed(ran: ReadonlyMap<string, RanNode>, { from, to, output, input }: Link): number {
  const inputs = ran.get(to)?.inputs.filter((one) => one.from === from && one.output === output && one.input === input);
  if (inputs && inputs.length > 0) return inputs.reduce((sum, { items }) => sum + items, 0);
  if (ran.has(to)) return 0;
  return ran.get(from)?.outputs.find(({ index }) => index === output)?.items ?? 0;
}

/** ai_languageModel: language model. */
export const kindWords = (kind: string): string =>
  kind
    .replace(/^ai_/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** Workflows that programs write often have all nodes in one place; then the page lays them out. */
function haveOwnPlaces(nodes: readonly DrawnNode[]): boolean {
  const places = new Set(nodes.map(({ at }) => (at ? `${at.x} ${at.y}` : '')));
  const isNear = nodes.every(({ at }) => at && Math.max(Math.abs(at.x), Math.abs(at.y)) < FARTHEST);
  return isNear && places.size === nodes.length;
}

const scaled = ({ x, y }: { x: number; y: number }) => ({ x: x * WIDER, y: y * TALLER });

function notesOf(all: readonly DrawnNode[], isPlaced: boolean): GraphNote[] {
  let above = 0;
  return all.map(({ name, parameters, at, size }) => {
    const wide = bounded(size?.wide ?? 240) * WIDER;
    const tall = bounded(size?.tall ?? 160) * TALLER;
    const text = typeof parameters.content === 'string' ? parameters.content : '';
    if (isPlaced && at) return { id: name, text, at: scaled(at), wide, tall };
    above -= tall + 24;
    return { id: name, text, at: { x: 0, y: above }, wide, tall };
  });
}

const bounded = (length: number): number => Math.min(5000, Math.max(40, length));
