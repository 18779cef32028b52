import type { Catalogue } from '../src/nodes/catalogue.ts';
import { tellDetails } from '../src/nodes/details/details.ts';
import type { Meaning } from '../src/nodes/search/meaning/meaning.ts';
import { searchNodes } from '../src/nodes/search/search.ts';
import { english } from './questions/english.ts';
import { paraphrases } from './questions/paraphrases.ts';
import { median, percentile } from './statistics.ts';
import type { StdioServer } from './stdio-client.ts';

/** The same question to both, over MCP on stdin and stdout. */
export interface Pair {
  readonly what: string;
  readonly ours: number[];
  readonly peer: number[];
  readonly ratios: number[];
  /** CPU of the server's process, in microseconds per call, by round. */
  readonly cpu: { readonly ours: number[]; readonly peer: number[]; readonly ratios: number[] };
  /** Whether it is a goal, or only there for comparison. */
  readonly compared: boolean;
}

const asked =
  `slack gmail googleSheets httpRequest notion airtable postgres telegram github jira hubspot discord webhook set
  code merge if switch filter wait googleDrive mySql mongoDb redis stripe shopify trello asana zendesk salesforce`.split(
    /\s+/,
  );

/** Enough that a few rounds ask for no node twice. */
const FIRST = 40;
/** Rounds that do not count: they let both servers compile their code. */
const WARMING = 3;

interface Ask {
  readonly what: string;
  readonly times: number;
  readonly compared?: false;
  ours(turn: number): Promise<unknown>;
  peer(turn: number): Promise<unknown>;
}

export async function measurePairs(
  catalogue: Catalogue,
  ours: StdioServer,
  peer: StdioServer,
  rounds: number,
  say: (line: string) => void,
): Promise<Pair[]> {
  const node = (turn: number) => asked[turn % asked.length] as string;
  const question = (turn: number) => english[turn % english.length]?.ask ?? '';
  const ten = (turn: number) => Array.from({ length: 10 }, (_, index) => node(turn * 10 + index));
  const unasked = unaskedOf(catalogue);
  let round = 0;
  const fresh = (turn: number) => unasked[(round * FIRST + turn) % unasked.length] as string;
  const all: Ask[] = [
    { what: 'ping: nothing but MCP', times: 60, compared: false, ours: () => ours.ping(), peer: () => peer.ping() },
    {
      what: 'get_node_types, the triggers (peer: search_nodes "trigger", 100)',
      times: 40,
      ours: () => ours.call('get_node_types', { type_filter: 'TRIGGER' }),
      peer: () => peer.call('search_nodes', { query: 'trigger', limit: 100 }),
    },
    {
      what: 'get_node_details, one, for the first time (peer: get_node, standard)',
      times: FIRST,
      ours: (turn) => ours.call('get_node_details', { nodes: [{ node: `n8n-nodes-base.${fresh(turn)}` }] }),
      // A node that is newer than the peer's catalogue is an error there: an answer like any other.
      peer: (turn) =>
        peer.call('get_node', { nodeType: `nodes-base.${fresh(turn)}`, detail: 'standard' }).catch(() => {}),
    },
    {
      what: 'get_node_details, one, again',
      times: 120,
      ours: (turn) => ours.call('get_node_details', { nodes: [{ node: `n8n-nodes-base.${node(turn)}` }] }),
      peer: (turn) => peer.call('get_node', { nodeType: `nodes-base.${node(turn)}`, detail: 'standard' }),
    },
    {
      what: 'get_node_details, ten, again (peer: ten calls)',
      times: 30,
      ours: (turn) =>
        ours.call('get_node_details', { nodes: ten(turn).map((name) => ({ node: `n8n-nodes-base.${name}` })) }),
      async peer(turn) {
        for (const name of ten(turn))
          await peer.call('get_node', { nodeType: `nodes-base.${name}`, detail: 'standard' });
      },
    },
    {
      what: 'search_nodes',
      times: english.length,
      ours: (turn) => ours.call('search_nodes', { query: question(turn) }),
      peer: (turn) => peer.call('search_nodes', { query: question(turn), limit: 10 }),
    },
  ];
  const rows: Pair[] = all.map(({ what, compared = true }) => ({
    what,
    compared,
    ours: [],
    peer: [],
    ratios: [],
    cpu: { ours: [], peer: [], ratios: [] },
  }));
  const block = async (times: number, ask: (turn: number) => Promise<unknown>): Promise<number[]> => {
    const took: number[] = [];
    for (let turn = 0; turn < times; turn++) took.push(await timed(() => ask(turn)));
    return took;
  };
  for (; round < WARMING + rounds; round++) {
    for (const [index, { what, times, ours: one, peer: other }] of all.entries()) {
      say(`nodes: round ${Math.max(0, round + 1 - WARMING)}/${rounds}: ${what}`);
      const before = { ours: ours.cpu(), peer: peer.cpu() };
      // In blocks, not call by call: otherwise each call would find the CPU caches full of the other's work.
      const mine = await block(times, one);
      const theirs = await block(times, other);
      const used = { ours: (ours.cpu() - before.ours) / times, peer: (peer.cpu() - before.peer) / times };
      if (round < WARMING) continue;
      rows[index]?.ours.push(...mine);
      rows[index]?.peer.push(...theirs);
      rows[index]?.ratios.push(median(theirs) / median(mine));
      rows[index]?.cpu.ours.push(used.ours);
      rows[index]?.cpu.peer.push(used.peer);
      rows[index]?.cpu.ratios.push(used.peer / used.ours);
    }
  }
  return rows;
}

export interface Inside {
  readonly lexical: number[];
  readonly fused: number[];
  /** CPU for the essentials of one node, in milliseconds: for nodes never asked for, and for the same nodes again. */
  readonly essentialsCpu: { readonly first: number; readonly again: number };
}

/** The cost without MCP around it. */
export async function measureInside(catalogue: Catalogue, meaning: Meaning): Promise<Inside> {
  const lexical: number[] = [];
  const fused: number[] = [];
  for (const round of [0, 1, 2, 3]) {
    for (const { ask } of english) {
      const took = await timed(() => searchNodes(catalogue, ask));
      if (round > 0) lexical.push(took);
    }
  }
  for (const round of [0, 1]) {
    for (const { ask } of paraphrases) {
      const began = performance.now();
      const { how } = await searchNodes(catalogue, ask, { meaning });
      if (round > 0 && how === 'fused') fused.push(performance.now() - began);
    }
  }
  return { lexical, fused, essentialsCpu: essentialsCpu(catalogue) };
}

function essentialsCpu(catalogue: Catalogue): Inside['essentialsCpu'] {
  const rounds = 20;
  const cpu = (names: readonly string[], times: number) => {
    const before = process.cpuUsage();
    for (let round = 0; round < times; round++) {
      for (const name of names) {
        tellDetails(catalogue, {
          nodes: [{ node: `n8n-nodes-base.${name}` }],
          detail: 'essentials',
          include_examples: true,
          include_schemas: true,
        });
      }
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / (times * names.length);
  };
  cpu(asked, 3);
  return { first: cpu(unaskedOf(catalogue), 1), again: cpu(asked, rounds) };
}

/** The peer caches its answers, and so do we, so nodes that nobody has asked for are measured separately. */
function unaskedOf(catalogue: Catalogue): string[] {
  return catalogue
    .nodes()
    .filter(({ name, hidden, toolOf }) => name.startsWith('n8n-nodes-base.') && !hidden && toolOf === undefined)
    .map(({ name }) => name.slice('n8n-nodes-base.'.length))
    .filter((name) => !asked.includes(name) && !/e2e|Training|dynamicCredential/.test(name));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const spread = (ratios: readonly number[]): string =>
  `${median(ratios).toFixed(1)} x | ${Math.min(...ratios).toFixed(1)} – ${Math.max(...ratios).toFixed(1)}`;

export function pairTable(rows: readonly Pair[]): string {
  const both = (values: readonly number[]) =>
    `${percentile(values, 0.5).toFixed(2)} / ${percentile(values, 0.95).toFixed(2)}`;
  return [
    '| over MCP | Sluice, p50 / p95 ms | n8n-mcp, p50 / p95 ms | times faster | rounds | CPU µs a call | n8n-mcp | times less | rounds |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
    ...rows.map(
      ({ what, ours, peer, ratios, cpu }) =>
        `| ${what} | ${both(ours)} | ${both(peer)} | ${spread(ratios)} | ${median(cpu.ours).toFixed(0)} | ${median(cpu.peer).toFixed(0)} | ${spread(cpu.ratios)} |`,
    ),
  ].join('\n');
}
