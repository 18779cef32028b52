// npm run bench -- --validation: the validator compared with n8n-mcp's, for speed and false alarms.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../src/host/home.ts';
import { installDirectory } from '../src/n8n/local/places.ts';
import { buildCatalogue } from '../src/nodes/build/build.ts';
import { openCatalogue } from '../src/nodes/catalogues/open.ts';
import { packageCatalogue } from '../src/nodes/catalogues/places.ts';
import { PINNED_N8N } from '../src/nodes/which-n8n.ts';
import { installedTypes } from '../src/nodes/sources/installed.ts';
import { installPeer, peers, quietPeer } from './peers.ts';
import { type Goal, goalTable } from './report.ts';
import { median } from './statistics.ts';
import { startStdio } from './stdio-client.ts';
import { measureSizes, type SizeFigures, sizeTable } from './validation-speed.ts';
import {
  judgeTemplates,
  MOST_VIEWED,
  readTemplates,
  type TemplateFigures,
  templateTable,
} from './validation-templates.ts';

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

export interface ValidationFigures {
  readonly sizes: readonly SizeFigures[];
  readonly templates: TemplateFigures;
}

export async function measureValidation(
  root: string,
  say: (line: string) => void,
  rounds: number,
): Promise<ValidationFigures> {
  const modules = join(installDirectory(cacheDirectory(process.env), PINNED_N8N), 'node_modules');
  if (!existsSync(modules))
    throw new Error(`n8n ${PINNED_N8N} is not installed: \`npm test\` or \`sluice n8n up\` does it.`);
  const peerProgram = await installPeer('n8n-mcp', say);
  if (peerProgram.state !== 'installed') throw new Error(peerProgram.reason);

  say('validation: building the catalogue');
  const file = join(root, 'validation.sqlite');
  buildCatalogue({ ...(await installedTypes(modules)), from: 'packages', n8n: PINNED_N8N }, file);
  const catalogue = openCatalogue(file);
  const home = join(root, 'validation-home');
  const cache = join(root, 'validation-cache');
  const placed = packageCatalogue(cache, PINNED_N8N);
  mkdirSync(dirname(placed), { recursive: true });
  copyFileSync(file, placed);
  const peerHome = join(root, 'validation-peer');
  await Promise.all([mkdir(home), mkdir(peerHome)]);
  try {
    await using ours = await startStdio([bin, 'stdio'], home, { SLUICE_HOME: home, SLUICE_CACHE: cache });
    await using peer = await startStdio([peerProgram.program], peerHome, quietPeer, peerProgram.node);
    const sizes = await measureSizes(catalogue, ours, peer, rounds, say);
    const templates = await judgeTemplates(readTemplates(peerProgram.program), catalogue, peer, say);
    return { sizes, templates };
  } finally {
    catalogue.close();
  }
}

export function validationTable({ sizes, templates }: ValidationFigures): string {
  const peer = `n8n-mcp ${peers['n8n-mcp'].version}`;
  return [sizeTable(sizes, peer), '', templateTable(templates, peer), '', goalTable(goalsOf(sizes, templates))].join(
    '\n',
  );
}

function goalsOf(sizes: readonly SizeFigures[], { groups }: TemplateFigures): Goal[] {
  const of = (nodes: number) => sizes.find((one) => one.nodes === nodes);
  const perNode = (nodes: number) => median(of(nodes)?.inside ?? []) / nodes;
  return [
    { goal: '300 nodes, inside', limit: 50, unit: 'ms', rounds: of(300)?.inside ?? [] },
    { goal: '2,000 nodes, a node, to one of 300', limit: 1.5, unit: 'x', rounds: [perNode(2000) / perNode(300)] },
    {
      goal: '300 nodes over MCP, to n8n-mcp',
      limit: 0.1,
      unit: 'x',
      rounds: (of(300)?.ours ?? []).map((ours, round) => ours / (of(300)?.peer[round] ?? Number.NaN)),
    },
    {
      goal: 'the largest reply, to 8 KB',
      limit: 1,
      unit: 'x',
      rounds: [Math.max(...sizes.flatMap(({ replies }) => [replies.ours, replies.oursOfFaults])) / 8192],
    },
    ...groups.flatMap(({ what, templates, ours, oursWarned }) =>
      what === MOST_VIEWED
        ? [
            {
              goal: `templates called broken, ${what}, to all`,
              limit: 0.067,
              unit: 'x' as const,
              rounds: [ours / templates],
            },
            {
              goal: `templates warned of, ${what}, to all`,
              limit: 0.3,
              unit: 'x' as const,
              rounds: [oursWarned / templates],
            },
          ]
        : [],
    ),
    ...groups.map(({ what, ours, peer }) => ({
      goal: `templates called broken, ${what}, to n8n-mcp`,
      limit: 0.2,
      unit: 'x' as const,
      rounds: [ours / peer],
    })),
  ];
}
