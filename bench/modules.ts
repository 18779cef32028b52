// npm run bench -- --modules. Alone: npx node bench/modules.ts [ROUNDS]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { added, type AllCallFigures, callRows, measureModuleCalls } from './module-calls.ts';
import { measureModuleStart, type StartFigures } from './module-start.ts';
import { type Goal, goalTable } from './report.ts';
import { median } from './statistics.ts';

export interface ModuleFigures {
  rounds: number;
  calls: AllCallFigures;
  start: StartFigures;
}

/** How many sources must fit into a list. */
const SOURCES = 25;
const MB = 1024 * 1024;

export async function measureModules(
  root: string,
  say: (line: string) => void,
  rounds: number,
): Promise<ModuleFigures> {
  const start = await measureModuleStart(root, say);
  return { rounds, start, calls: await measureModuleCalls(root, say, rounds) };
}

export function moduleTable({ rounds, calls, start }: ModuleFigures): string {
  const { modules, without, all, list, loaded } = start;
  const ready = (samples: typeof all) => median(samples.map(({ readyMs }) => readyMs));
  const rss = (samples: typeof all) => median(samples.map((sample) => sample.rss)) / MB;
  const bytes = Object.values(list.sources);
  const each = bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
  const drivers = loaded.all.names.filter((name) => !loaded.without.names.includes(name));
  // A start is compared with the one next to it.
  const slower = all.map(({ readyMs }, index) => readyMs - (without[index]?.readyMs ?? Number.NaN));
  const ratios = all.map(({ readyMs }, index) => readyMs / (without[index]?.readyMs ?? Number.NaN));
  const goals: Goal[] = [
    ...calls.measured.map((one) => ({
      goal: `${one.module}: ${one.call}, added to the bare driver, p50`,
      limit: 1,
      unit: 'ms' as const,
      rounds: added(one),
    })),
    { goal: 'ready with every module, none reachable, beside no module', limit: 1.1, unit: 'x', rounds: ratios },
    { goal: `tools/list of ${SOURCES} such sources`, limit: 16, unit: 'KB', rounds: [(each * SOURCES) / 1024] },
  ];
  return [
    `Calls: medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}; one caller, 2026-07-28, compact exposure, real services.`,
    '',
    callRows(calls),
    '',
    `| ${all.length} starts of each, by turns | no module | ${modules.length} modules, none reachable | difference |`,
    '| --- | --: | --: | --: |',
    `| ready, ms | ${ready(without).toFixed(0)} | ${ready(all).toFixed(0)} | ${median(slower).toFixed(0)} (${Math.min(...slower).toFixed(0)} – ${Math.max(...slower).toFixed(0)}) |`,
    `| resident after that, MB | ${rss(without).toFixed(1)} | ${rss(all).toFixed(1)} | ${(rss(all) - rss(without)).toFixed(1)} |`,
    `| our files loaded | ${loaded.without.own} | ${loaded.all.own} | ${loaded.all.own - loaded.without.own} |`,
    `| files of packages loaded | ${loaded.without.packages} | ${loaded.all.packages} | ${loaded.all.packages - loaded.without.packages} |`,
    `| bytes of tools/list | ${list.without} | ${list.all} | ${list.all - list.without} |`,
    '',
    `Packages that are loaded only with modules: ${drivers.join(', ') || 'none'}.`,
    '',
    `Bytes of tools/list by module: ${Object.entries(list.sources)
      .map(([name, size]) => `${name} ${size}`)
      .join(', ')}; ${each.toFixed(0)} on average.`,
    '',
    goalTable(goals),
  ].join('\n');
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    const figures = await measureModules(root, (line) => console.error(line), Number(process.argv[2] ?? 3));
    console.log(moduleTable(figures));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
