import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { NodeType } from '../taxonomy/taxonomy.ts';
import { fused } from './fuse.ts';
import { type Found, lexicalOf } from './lexical.ts';
import type { Meaning } from './meaning/meaning.ts';
import { readQuestion } from './question.ts';
import { withVariants } from './variants.ts';

/** Below this confidence of the word search, meaning counts too. */
const CONFIDENT = 0.4;

export interface SearchOptions {
  /** Only nodes of this type. */
  readonly type?: NodeType;
  /** Include n8n's tool variants. Default: only if the question asks for a tool. */
  readonly tools?: boolean;
  /** Compares meanings if words are not enough. Without it only words count. */
  readonly meaning?: Pick<Meaning, 'near'>;
  readonly signal?: AbortSignal;
}

export interface NodeHit {
  readonly node: NodeSummary;
  /** From 0 to 1. Comparable only within one answer. */
  readonly score: number;
}

export interface NodeHits {
  /** By words only, or by words and meaning. */
  readonly how: 'lexical' | 'fused';
  /** All hits, best first. */
  readonly hits: readonly NodeHit[];
}

/** Finds nodes for a question in plain words. Accepts any text; a text without words finds nothing. */
export async function searchNodes(
  catalogue: Catalogue,
  query: string,
  { meaning, signal, ...options }: SearchOptions = {},
): Promise<NodeHits> {
  const question = readQuestion(query);
  const found = lexicalOf(catalogue).find(question);
  if (!meaning || !question.english || question.words.length === 0 || found.confidence >= CONFIDENT) {
    return { how: 'lexical', hits: shown(catalogue, found, question.tool, options) };
  }
  const near = await meaning.near(catalogue, question.text, signal);
  if (!near) return { how: 'lexical', hits: shown(catalogue, found, question.tool, options) };
  return { how: 'fused', hits: shown(catalogue, fused(catalogue, question, found, near), question.tool, options) };
}

function shown(
  catalogue: Catalogue,
  found: Found,
  asksForTool: boolean,
  { type, tools }: Pick<SearchOptions, 'type' | 'tools'>,
): NodeHit[] {
  const wanted = tools ?? (asksForTool || type === 'TOOL');
  const hits = wanted ? withVariants(catalogue, found.hits, asksForTool) : found.hits;
  const top = hits[0]?.score ?? 0;
  return hits
    .filter(({ node }) => type === undefined || node.type === type)
    .map(({ node, score }) => ({ node, score: Math.round((score / top) * found.confidence * 1000) / 1000 }));
}
