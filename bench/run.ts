// npm run bench [-- --quick] [-- --n8n] [-- --nodes] [-- --validation] [-- --bridge] [-- --store] [-- --recall] [-- --memory] [-- --modules] [-- --blueprints] [-- --console] [-- --only sluice-stdio,raw-stdio] [-- --rounds 5] [-- --against ../old] [-- --json FILE]
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { blueprintTable, measureBlueprints } from './blueprints.ts';
import { bridgeTable, measureBridge } from './bridge.ts';
import { consoleTable, measureConsole } from './console.ts';
import { eventTable, measureEvents } from './events.ts';
import { startGenerator } from './generator.ts';
import { measureCalls, measureLists, type Pace, type Rig } from './measure.ts';
import { measureMemory, memoryTable } from './memory/run.ts';
import { measureModules, moduleTable } from './modules.ts';
import { measureMoving, movingTable } from './n8n-moving.ts';
import { measureN8n, n8nTable } from './n8n.ts';
import { measureNodes, nodeTable } from './nodes.ts';
import { installPeer } from './peers.ts';
import { measureRecall, recallTable } from './recall/run.ts';
import { buildTable, callTable, goalsOf, goalTable, listTable, type Result, startTable } from './report.ts';
import { measureStore, storeTable } from './store.ts';
import { besideBuild, type Target, targets } from './targets.ts';
import { measureValidation, validationTable } from './validation.ts';

const full: Pace = {
  settle: 0.4,
  warmup: { calls: 6_000, seconds: 2 },
  many: { calls: 50_000, seconds: 1.2 },
  one: { calls: 5_000, seconds: 0.6 },
  list: { calls: 400, seconds: 0.5 },
};
const quick: Pace = {
  settle: 0.2,
  warmup: { calls: 4_000, seconds: 1 },
  many: { calls: 50_000, seconds: 0.6 },
  one: { calls: 5_000, seconds: 0.2 },
  list: { calls: 200, seconds: 0.2 },
};

const help = `npm run bench -- [--quick] [--n8n] [--nodes] [--validation] [--bridge] [--store] [--recall] [--memory] [--modules] [--blueprints] [--console] [--rounds N] [--only NAME,…] [--against DIR] [--json FILE]
Measures every target in turn, round after round, and prints the medians as Markdown.
  --quick      only what the goals compare, shorter loads, coarser figures
  --n8n        also the tools for n8n, templates and promotion, on real ones: installed on the first run (minutes, 2.5 GB)
  --nodes      only the node catalogue beside n8n-mcp, which is installed on the first run (minutes, 100 MB)
  --validation only the validator beside n8n-mcp's, over workflows of 5 to 2,000 nodes and public templates
  --bridge     only the bridge to n8n beside calling n8n directly, on a real one
  --store      only PostgreSQL as the store beside SQLite, with one and two replicas (needs Debian's postgresql)
  --recall     only how often a search finds the right note: words alone, meaning alone, server-memory and Sluice
  --memory     only memory with 100,000 memories: searches, writes, size, and calls of others meanwhile (half an hour)
  --modules    only the modules: calls beside the bare drivers, start with all of them, size of tools/list
  --blueprints only runs of blueprints: a step beside a call, 1,000 runs that wait, 50 at once, a kill
  --console    only the page for people: size, speed, memory, and what open pages cost the gateway (needs chromium)
  --rounds N   how often each target is measured (default 3)
  --only       ${targets.map(({ name }) => name).join(', ')}
  --against DIR  also the Sluice of another checkout, in the same rounds: is CPU a call within its spread?
  --json FILE  also writes every sample to FILE
Example: npm run bench -- --only raw-stdio,sluice-stdio --rounds 5`;

type Wanted = ReturnType<typeof readArguments>;

function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      n8n: { type: 'boolean', default: false },
      nodes: { type: 'boolean', default: false },
      validation: { type: 'boolean', default: false },
      bridge: { type: 'boolean', default: false },
      store: { type: 'boolean', default: false },
      recall: { type: 'boolean', default: false },
      memory: { type: 'boolean', default: false },
      modules: { type: 'boolean', default: false },
      blueprints: { type: 'boolean', default: false },
      console: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string' },
      against: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds takes a whole number from 1, not ${values.rounds}.`);
  const usual = targets.filter(({ reference }) => !(values.quick && reference)).map(({ name }) => name);
  const names = values.only?.split(',') ?? usual;
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`Unknown in --only: ${unknown.join(', ')}.`);
  const chosen = targets.filter(({ name }) => names.includes(name));
  return { ...values, rounds, chosen: values.against === undefined ? chosen : besideBuild(values.against, chosen) };
}

/** Type stripping would cost every backend 40 ms and 20 MB, and hide what a gateway adds to its start. */
function buildFloors(): void {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  execFileSync(process.execPath, [path('../node_modules/typescript/bin/tsc'), '-p', path('./floors')], {
    stdio: 'inherit',
  });
}

/** On a terminal, one line that is overwritten; elsewhere plain lines. */
function say(line: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}

interface Prepared {
  result: Result;
  /** The program of an installed peer or of another build; empty for our own. */
  program: string;
}

async function prepare(target: Target): Promise<Prepared> {
  const result: Result = { target, state: 'measured', calls: [], lists: [] };
  if (target.peer === undefined) return { result, program: target.build ?? '' };
  const peer = await installPeer(target.peer, say);
  if (peer.state === 'installed') return { result, program: peer.program };
  return { result: { target, ...peer }, program: '' };
}

async function measure({ result, program }: Prepared, rig: Rig): Promise<Result> {
  if (result.state !== 'measured') return result;
  const { target, calls, lists } = result;
  try {
    calls.push(await measureCalls(target, program, rig));
    if (target.wide) lists.push(await measureLists(target, target.wide, program, rig));
    return result;
  } catch (error) {
    return { target, state: 'failed', reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${reasonOf(error.cause)}`;
}

/** Problems other than slowness: a target that failed, or wrong answers. */
function problemsOf(result: Result): string[] {
  const { name } = result.target;
  if (result.state !== 'measured') return result.state === 'failed' ? [`${name} failed: ${result.reason}`] : [];
  const loads = [
    ...result.calls.flatMap(({ eras }) => Object.values(eras).flatMap(({ one, many }) => [one, many])),
    ...result.lists.flatMap(({ eras }) => Object.values(eras)),
  ].filter(({ errors }) => errors > 0);
  return loads.length === 0 ? [] : [`${name} answered wrongly in ${loads.length} loads: ${loads[0]?.firstError}`];
}

async function bench({ quick: short, n8n, rounds, chosen, only, against, json }: Wanted): Promise<number> {
  if (!existsSync('/proc/self/stat')) throw new Error('CPU and memory are read from /proc: run this on Linux.');
  const started = performance.now();
  buildFloors();
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  using generator = startGenerator();
  const rig: Rig = { generator, root, pace: short ? quick : full };

  const prepared: Prepared[] = [];
  for (const target of chosen) prepared.push(await prepare(target));
  for (let round = 1; round <= rounds; round++) {
    for (const [index, entry] of prepared.entries()) {
      say(`round ${round}/${rounds}, ${index + 1}/${prepared.length}: ${entry.result.target.name}`);
      entry.result = await measure(entry, rig);
    }
  }
  const events = only === undefined ? await measureEvents(root, say) : undefined;
  const workflows = n8n ? await measureN8n(root, say, rounds) : undefined;
  const moving = n8n ? await measureMoving(root, say) : undefined;
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`done in ${seconds} s\n`);

  const results = prepared.map(({ result }) => result);
  const goals = goalsOf(results);
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.version}`;
  console.log(`${machine}; medians of ${rounds} interleaved rounds; ${seconds} s in all.\n`);
  console.log([callTable(results), startTable(results), listTable(results), goalTable(goals)].join('\n\n'));
  if (against !== undefined) console.log(`\n${buildTable(results)}`);
  if (events) console.log(`\n${eventTable(events)}`);
  if (workflows) console.log(`\n${n8nTable(workflows)}`);
  if (moving) console.log(`\n${movingTable(moving)}`);
  if (json !== undefined) {
    const report = {
      date: new Date().toISOString(),
      machine,
      rounds,
      pace: rig.pace,
      results,
      goals,
      events,
      n8n: workflows,
      moving,
    };
    await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  }
  const problems = results.flatMap(problemsOf);
  for (const problem of problems) console.error(`\n${problem}`);
  return problems.length === 0 ? 0 : 1;
}

/** Runs a benchmark that shares nothing with the calls through a gateway. */
async function benchApart<Figures>(
  { rounds, json }: Wanted,
  take: (root: string, tell: typeof say, rounds: number) => Promise<Figures>,
  table: (figures: Figures) => string,
): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const figures = await take(root, say, rounds);
  say('done\n');
  console.log(table(figures));
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ rounds, figures }, null, 2)}\n`);
  return 0;
}

async function main(): Promise<number> {
  let wanted: Wanted;
  try {
    wanted = readArguments();
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${help}`);
    return 2;
  }
  if (wanted.help) {
    console.log(help);
    return 0;
  }
  try {
    if (wanted.bridge) return await benchApart(wanted, measureBridge, bridgeTable);
    if (wanted.store) {
      buildFloors();
      return await benchApart(wanted, measureStore, storeTable);
    }
    if (wanted.memory) {
      buildFloors();
      return await benchApart(wanted, measureMemory, memoryTable);
    }
    if (wanted.modules) return await benchApart(wanted, measureModules, moduleTable);
    if (wanted.blueprints) return await benchApart(wanted, measureBlueprints, blueprintTable);
    if (wanted.console) return await benchApart(wanted, measureConsole, consoleTable);
    if (wanted.recall) return await benchApart(wanted, measureRecall, recallTable);
    if (wanted.nodes) return await benchApart(wanted, measureNodes, nodeTable);
    if (wanted.validation) return await benchApart(wanted, measureValidation, validationTable);
    return await bench(wanted);
  } catch (error) {
    console.error(reasonOf(error));
    return 1;
  }
}

process.exitCode = await main();
