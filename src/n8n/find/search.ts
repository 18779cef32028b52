import type { Node, Workflow } from '../client/shapes.ts';
import { triggersOf } from '../running/triggers.ts';
import { form, formPath } from '../running/ways/form.ts';
import { webhookPath } from '../running/ways/webhook.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { versionsOf } from './scan.ts';
import { isAddress, urlMatches } from './url-match.ts';
import { pathMatches, webhookPathIn } from './webhook-match.ts';

/** Search criteria. A workflow must match all that are given. */
export interface Query {
  readonly node_type?: string | undefined;
  readonly url?: string | undefined;
  readonly code?: string | undefined;
  readonly credential?: string | undefined;
  readonly webhook_path?: string | undefined;
  readonly expression?: string | undefined;
  readonly text?: string | undefined;
}

export type Sought = keyof Query;

export interface Hit {
  readonly by: Sought;
  /** Absent if the hit is in the workflow's own name or description. */
  readonly node?: string;
  readonly where: string;
  readonly match: string;
  /** Only in the live version, not in the draft. */
  readonly live?: true;
}

/** All hits in a workflow; undefined unless every criterion matches. */
export function searchWorkflow(workflow: Workflow, query: Query): Hit[] | undefined {
  const sought = (Object.keys(query) as Sought[]).filter((by) => query[by] !== undefined);
  const hits: Hit[] = [];
  for (const by of sought) {
    const wanted = query[by] as string;
    const found = versionsOf(workflow).flatMap(({ of, nodes }) =>
      nodes
        .flatMap((node) => finders[by](node, wanted).map((hit) => ({ by, node: node.name, ...hit })))
        .map((hit): Hit => (of === 'live' ? { ...hit, live: true } : hit)),
    );
    if (by === 'text') found.unshift(...inTitle(workflow, wanted));
    if (found.length === 0) return undefined;
    hits.push(...distinct(found));
  }
  return hits;
}

/** A hit in both the draft and the live version counts once. */
function distinct(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ node, where, match }) => {
    const key = JSON.stringify([node, where, match]);
    return !seen.has(key) && seen.add(key);
  });
}

type Found = Pick<Hit, 'where' | 'match'>;
type Finder = (node: Node, wanted: string) => Found[];

const codeKey = /^(jsCode|pythonCode|functionCode|code|javaScriptCode|query|sqlQuery|expression)$/;

const finders: Readonly<Record<Sought, Finder>> = {
  node_type: ({ type }, wanted) => (typeMatches(type, wanted) ? [{ where: 'type', match: type }] : []),
  url: leafFinder(({ key, text }, wanted) => isAddress(key, text) && urlMatches(text, wanted)),
  code: leafFinder(({ key, text }, wanted) => (codeKey.test(key) || text.includes('\n')) && holds(text, wanted)),
  expression: leafFinder(({ text }, wanted) => text.startsWith('=') && holds(text, wanted)),
  webhook_path: inPath,
  credential: inCredentials,
  text: (node, wanted) => [
    ...(holds(node.name, wanted) ? [{ where: 'name', match: node.name }] : []),
    ...(holds(node.type, wanted) ? [{ where: 'type', match: node.type }] : []),
    ...(typeof node.notes === 'string' && holds(node.notes, wanted)
      ? [{ where: 'notes', match: excerpt(node.notes, wanted) }]
      : []),
    ...inCredentials(node, wanted),
    ...leafFinder(({ text }, sought) => holds(text, sought))(node, wanted),
  ],
};

function leafFinder(fits: (leaf: Leaf, wanted: string) => boolean): Finder {
  return (node, wanted) =>
    [...leavesOf(node)]
      .filter((leaf) => fits(leaf, wanted))
      .map(({ where, text }) => ({ where, match: excerpt(text, wanted) }));
}

function inCredentials({ credentials = {} }: Node, wanted: string): Found[] {
  return Object.entries(credentials)
    .filter(([type, { id, name }]) => id === wanted || holds(name, wanted) || holds(type, wanted))
    .map(([type, { name }]) => ({ where: `credentials.${type}`, match: name }));
}

function inPath(node: Node, wanted: string): Found[] {
  const path = webhookPathIn(wanted);
  return triggersOf([{ ...node, disabled: false }]).flatMap(({ way }) => {
    const own = way === form ? formPath(node) : webhookPath(node);
    const given = typeof node.parameters.path === 'string' ? node.parameters.path : own;
    if (own === undefined || given === undefined) return [];
    return holds(own, path) || pathMatches(own, path) || pathMatches(given, path)
      ? [{ where: 'parameters.path', match: own }]
      : [];
  });
}

function inTitle({ name, description }: Workflow, wanted: string): Hit[] {
  return [
    ...(holds(name, wanted) ? [{ by: 'text' as const, where: 'workflow name', match: name }] : []),
    ...(description && holds(description, wanted)
      ? [{ by: 'text' as const, where: 'description', match: excerpt(description, wanted) }]
      : []),
  ];
}

/** Whether `wanted` is the full type, its short name, or a part of the short name. */
export function typeMatches(type: string, wanted: string): boolean {
  const looked = wanted.toLowerCase().replaceAll(/[\s_-]/g, '');
  const own = type.toLowerCase();
  return own === wanted.toLowerCase() || own.slice(own.lastIndexOf('.') + 1).includes(looked);
}

const holds = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

const AROUND = 40;

/** The line with the match, shortened around it if long. */
function excerpt(text: string, wanted: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(wanted.toLowerCase()));
  const from = Math.max(0, text.lastIndexOf('\n', at) + 1, at - AROUND);
  const newline = text.indexOf('\n', at + wanted.length);
  const to = Math.min(newline === -1 ? text.length : newline, at + Math.min(wanted.length, 80) + AROUND);
  return `${from > 0 && text[from - 1] !== '\n' ? '…' : ''}${text.slice(from, to).trim()}${to < text.length && to !== newline ? '…' : ''}`;
}
