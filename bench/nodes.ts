// npm run bench -- --nodes: the node catalogue compared with n8n-mcp, for quality and speed.
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../src/host/home.ts';
import { installDirectory } from '../src/n8n/local/places.ts';
import { buildCatalogue } from '../src/nodes/build/build.ts';
import { openCatalogue } from '../src/nodes/catalogues/open.ts';
import { meaningVectors, packageCatalogue } from '../src/nodes/catalogues/places.ts';
import { PINNED_N8N } from '../src/nodes/which-n8n.ts';
import { createMeaning } from '../src/nodes/search/meaning/meaning.ts';
import { installedTypes } from '../src/nodes/sources/installed.ts';
import { measureQuality, type Quality, qualityTable } from './node-quality.ts';
import { type Inside, measureInside, measurePairs, type Pair, pairTable } from './node-speed.ts';
import { installPeer, peers, quietPeer } from './peers.ts';
import { type IdleFigures, idleGoal, idleTable, measureIdle } from './idle.ts';
import { type Goal, goalTable } from './report.ts';
import { median, percentile } from './statistics.ts';
import { startStdio } from './stdio-client.ts';
import { measureToolSearch } from './tool-search.ts';

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

export interface NodeFigures {
  quality: Quality[];
  pairs: Pair[];
  inside: Inside;
  build: { ms: number; bytes: number; nodes: number };
  vectors: { ms: number; bytes: number };
  openMs: number[];
  ours: { startMs: number; rss: number };
  peer: { startMs: number; rss: number; bytes: number };
  /** CPU to find tools for one wish among a thousand, in milliseconds. */
  toolSearchCpu: number;
  idle: IdleFigures;
}

export async function measureNodes(root: string, say: (line: string) => void, rounds: number): Promise<NodeFigures> {
  const modules = join(installDirectory(cacheDirectory(process.env), PINNED_N8N), 'node_modules');
  if (!existsSync(modules))
    throw new Error(`n8n ${PINNED_N8N} is not installed: \`npm test\` or \`sluice n8n up\` does it.`);
  const peerProgram = await installPeer('n8n-mcp', say);
  if (peerProgram.state !== 'installed') throw new Error(peerProgram.reason);

  say('nodes: building the catalogue');
  const file = join(root, 'nodes.sqlite');
  const began = performance.now();
  buildCatalogue({ ...(await installedTypes(modules)), from: 'packages', n8n: PINNED_N8N }, file);
  const buildMs = performance.now() - began;
  const openMs = Array.from({ length: 7 }, () => {
    const opened = performance.now();
    openCatalogue(file).close();
    return performance.now() - opened;
  });
  const catalogue = openCatalogue(file);
  await using meaning = createMeaning();
  say('nodes: making the vectors');
  const made = performance.now();
  if (!(await meaning.prepare(catalogue))) throw new Error('The model of meanings does not work here.');
  const vectorsMs = performance.now() - made;

  const home = join(root, 'nodes-home');
  const cache = join(root, 'nodes-cache');
  const placed = packageCatalogue(cache, PINNED_N8N);
  mkdirSync(dirname(placed), { recursive: true });
  copyFileSync(file, placed);
  copyFileSync(`${file}.vectors`, meaningVectors(cache));
  await mkdir(home);
  await using ours = await startStdio([bin, 'stdio'], home, { SLUICE_HOME: home, SLUICE_CACHE: cache });
  const peerHome = join(root, 'n8n-mcp');
  await mkdir(peerHome);
  await using peer = await startStdio([peerProgram.program], peerHome, quietPeer, peerProgram.node);
  const pairs = await measurePairs(catalogue, ours, peer, rounds, say);
  const rss = { ours: ours.rss(), peer: peer.rss() };
  const inside = await measureInside(catalogue, meaning);
  const quality = await measureQuality(catalogue, meaning, peer, say);
  const figures: NodeFigures = {
    quality,
    pairs,
    inside,
    build: { ms: buildMs, bytes: statSync(file).size, nodes: catalogue.nodes().length },
    vectors: { ms: vectorsMs, bytes: statSync(`${file}.vectors`).size },
    openMs,
    ours: { startMs: ours.startMs, rss: rss.ours },
    peer: {
      startMs: peer.startMs,
      rss: rss.peer,
      bytes: statSync(join(dirname(peerProgram.program), '..', '..', 'data', 'nodes.db')).size,
    },
    toolSearchCpu: await measureToolSearch(join(root, 'tools-home')),
    idle: await measureIdle(root, cache, rounds, say),
  };
  catalogue.close();
  return figures;
}

export function nodeTable({
  quality,
  pairs,
  inside,
  build,
  vectors,
  openMs,
  ours,
  peer,
  toolSearchCpu,
  idle,
}: NodeFigures): string {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  const p50 = (values: readonly number[]) => percentile(values, 0.5);
  const goals: Goal[] = [
    { goal: 'search by words, p50', limit: 1, unit: 'ms', rounds: [p50(inside.lexical)] },
    { goal: 'search by words and meaning, p50', limit: 40, unit: 'ms', rounds: [p50(inside.fused)] },
    {
      goal: 'essentials of a node not asked for before, CPU',
      limit: 0.2,
      unit: 'ms',
      rounds: [inside.essentialsCpu.first],
    },
    { goal: 'essentials of a node again, CPU', limit: 0.2, unit: 'ms', rounds: [inside.essentialsCpu.again] },
    { goal: 'find_tools among 1,000 tools, by words, CPU', limit: 5, unit: 'ms', rounds: [toolSearchCpu] },
    idleGoal(idle),
    { goal: 'opening the catalogue', limit: 100, unit: 'ms', rounds: openMs },
    ...pairs
      .filter(({ compared }) => compared)
      .flatMap(({ what, ratios, cpu }) =>
        [
          { of: 'CPU', measured: cpu.ratios },
          { of: 'time', measured: ratios },
        ].map(({ of, measured }) => ({
          goal: `${what}: ${of} of n8n-mcp, a fifth`,
          limit: 0.2,
          unit: 'x' as const,
          rounds: measured.map((ratio) => 1 / ratio),
        })),
      ),
  ];
  return [
    qualityTable(quality),
    '',
    pairTable(pairs),
    '',
    `| | Sluice | n8n-mcp ${peers['n8n-mcp'].version} |`,
    '| --- | --: | --: |',
    `| catalogue | ${megabytes(build.bytes)} MB, ${build.nodes} nodes; built in ${(build.ms / 1000).toFixed(1)} s | ${megabytes(peer.bytes)} MB, comes with the package |`,
    `| opening it | ${median(openMs).toFixed(0)} ms | - |`,
    `| vectors of meanings | ${megabytes(vectors.bytes)} MB, made once in ${(vectors.ms / 1000).toFixed(0)} s | - |`,
    `| start to the answer to initialize | ${ours.startMs.toFixed(0)} ms | ${peer.startMs.toFixed(0)} ms |`,
    `| RSS after the calls | ${megabytes(ours.rss)} MB | ${megabytes(peer.rss)} MB |`,
    `| search by words, in the process, p50 / p95 | ${p50(inside.lexical).toFixed(2)} / ${percentile(inside.lexical, 0.95).toFixed(2)} ms | - |`,
    `| search by words and meaning, p50 / p95 | ${p50(inside.fused).toFixed(1)} / ${percentile(inside.fused, 0.95).toFixed(1)} ms | - |`,
    `| essentials of one node, CPU, first / again | ${inside.essentialsCpu.first.toFixed(2)} / ${inside.essentialsCpu.again.toFixed(3)} ms | - |`,
    '',
    idleTable(idle),
    '',
    goalTable(goals),
  ].join('\n');
}
