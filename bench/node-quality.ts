import type { Catalogue } from '../src/nodes/catalogue.ts';
import type { Meaning } from '../src/nodes/search/meaning/meaning.ts';
import { searchNodes } from '../src/nodes/search/search.ts';
import { english } from './questions/english.ts';
import { fresh } from './questions/fresh.ts';
import { last } from './questions/last.ts';
import { later } from './questions/later.ts';
import { otherLanguages } from './questions/other-languages.ts';
import { paraphrases } from './questions/paraphrases.ts';
import { heldOut, type Question } from './questions/questions.ts';
import { stranger } from './questions/stranger.ts';
import type { StdioServer } from './stdio-client.ts';

/** A right answer below this rank, or none, counts as this rank. */
const DEEPEST = 20;

export interface Quality {
  readonly questions: string;
  readonly finder: string;
  readonly asked: number;
  /** Shares from 0 to 1. */
  readonly first: number;
  readonly five: number;
  readonly rank: number;
}

const sets: Record<string, readonly Question[]> = {
  'plain, tuned with': english.filter((question) => !heldOut(question)),
  'plain, held out': english.filter(heldOut),
  'plain, never tuned with': stranger,
  'hard, tuned with': [...paraphrases, ...fresh, ...later],
  'hard, the last ones': last,
  'other languages': otherLanguages,
};

/** Every question to every finder: our words only, our words and meaning, and the peer. */
export async function measureQuality(
  catalogue: Catalogue,
  meaning: Meaning,
  peer: StdioServer,
  say: (line: string) => void,
): Promise<Quality[]> {
  const named = (hits: readonly { node: { name: string } }[]) => hits.map(({ node }) => node.name);
  const finders: Record<string, (ask: string) => Promise<readonly string[]>> = {
    'Sluice, words': async (ask) => named((await searchNodes(catalogue, ask)).hits),
    'Sluice, words and meaning': async (ask) => named((await searchNodes(catalogue, ask, { meaning })).hits),
    'n8n-mcp': (ask) => peerFinds(peer, ask),
  };
  const rows: Quality[] = [];
  for (const [questions, set] of Object.entries(sets)) {
    for (const [finder, find] of Object.entries(finders)) {
      say(`quality: ${questions}, ${finder}`);
      const ranks: number[] = [];
      for (const { ask, right } of set) {
        const at = (await find(ask)).slice(0, DEEPEST).findIndex((name) => right.includes(name));
        ranks.push(at < 0 ? DEEPEST : at + 1);
      }
      const share = (deep: number) => ranks.filter((rank) => rank <= deep).length / ranks.length;
      const rank = ranks.reduce((sum, one) => sum + one, 0) / ranks.length;
      rows.push({ questions, finder, asked: ranks.length, first: share(1), five: share(5), rank });
    }
  }
  return rows;
}

/** The peer's own variants for agents count as the node they are made from: that is a hit, too. */
async function peerFinds(peer: StdioServer, query: string): Promise<string[]> {
  const text = await peer.call('search_nodes', { query, limit: DEEPEST });
  const { results = [] } = JSON.parse(text) as { results?: { workflowNodeType?: string; nodeType: string }[] };
  const names = results.map(({ workflowNodeType, nodeType }) => workflowNodeType ?? nodeType);
  return [
    ...new Set(
      names.map((name) => (/\.tool[A-Z]|\.mcpClientTool|\.agentTool/.test(name) ? name : name.replace(/Tool$/, ''))),
    ),
  ];
}

export function qualityTable(rows: readonly Quality[]): string {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  return [
    '| questions | found by | asked | right at rank 1 | among five | mean rank |',
    '| --- | --- | --: | --: | --: | --: |',
    ...rows.map(
      ({ questions, finder, asked, first, five, rank }) =>
        `| ${questions} | ${finder} | ${asked} | ${percent(first)} | ${percent(five)} | ${rank.toFixed(2)} |`,
    ),
  ].join('\n');
}
