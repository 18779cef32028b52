import { type Era, versionOf } from './client.ts';
import type { Loaded } from './generator.ts';
import type { CallSample, ListSample } from './measure.ts';
import { median } from './statistics.ts';
import { buildName, compared, type Target } from './targets.ts';

/** The outcome of a target: a sample for every round, or the reason why there is none. */
export type Result = { target: Target } & (
  | { state: 'measured'; calls: CallSample[]; lists: ListSample[] }
  | { state: 'not available' | 'failed'; reason: string }
);

type Measured = Extract<Result, { state: 'measured' }>;

const megabyte = 1024 * 1024;

/** The median over the rounds, or a dash if nothing was measured. */
function cell(values: (number | undefined)[], digits = 0): string {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? '-' : median(known).toFixed(digits);
}

function table(head: string[], rows: string[][]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function callRow({ target, calls }: Measured, era: Era): string[] {
  const pick = (callers: 'one' | 'many', get: (load: Loaded) => number) =>
    calls.map(({ eras }) => eras[era]?.[callers]).map((load) => load && get(load));
  const latency = (callers: 'one' | 'many') =>
    [
      cell(
        pick(callers, (load) => load.p50),
        2,
      ),
      cell(
        pick(callers, (load) => load.p95),
        2,
      ),
      cell(
        pick(callers, (load) => load.p99),
        2,
      ),
    ].join(' / ');
  const errors = calls.reduce((sum, { eras }) => sum + (eras[era]?.one.errors ?? 0) + (eras[era]?.many.errors ?? 0), 0);
  return [
    target.label,
    versionOf[era],
    latency('one'),
    latency('many'),
    cell(pick('many', (load) => load.perSecond)),
    cell(pick('many', (load) => load.cpuMicros)),
    String(errors),
  ];
}

export function callTable(results: readonly Result[]): string {
  const head = ['target', 'era', 'p50/p95/p99 ms, 1 caller', '32 callers', 'calls/s', 'CPU µs a call', 'errors'];
  const rows = results.flatMap((result) =>
    result.state === 'measured'
      ? result.target.eras.map((era) => callRow(result, era))
      : [[result.target.label, `${result.state}: ${firstLine(result.reason)}`, '', '', '', '', '']],
  );
  return table(head, rows);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replaceAll('|', '\\|') ?? '';
}

export function startTable(results: readonly Result[]): string {
  const head = ['target', 'start ms, 1 backend', '10 backends', 'RSS MB, idle', 'idle, 10 backends', 'after the calls'];
  const rows = results
    .filter((result) => result.state === 'measured')
    .map(({ target, calls, lists }) => {
      const ten = target.wide?.backends === 10 ? lists : [];
      return [
        target.label,
        cell(calls.map((sample) => sample.startMs)),
        cell(ten.map((sample) => sample.startMs)),
        cell(calls.map((sample) => sample.idleRss / megabyte)),
        cell(ten.map((sample) => sample.idleRss / megabyte)),
        cell(calls.map((sample) => sample.rssAfter / megabyte)),
      ];
    });
  return table(head, rows);
}

export function listTable(results: readonly Result[]): string {
  const head = ['tools/list of 500 tools', 'era', 'backends', 'p50 ms', 'p95 ms', 'CPU µs', 'bytes'];
  const rows = results
    .filter((result) => result.state === 'measured')
    .flatMap(({ target, lists }) =>
      target.wide === undefined
        ? []
        : target.eras.map((era) => {
            const loads = lists.map(({ eras }) => eras[era]);
            return [
              target.label,
              versionOf[era],
              String(target.wide?.backends),
              cell(
                loads.map((load) => load?.p50),
                2,
              ),
              cell(
                loads.map((load) => load?.p95),
                2,
              ),
              cell(loads.map((load) => load?.cpuMicros)),
              cell(loads.map((load) => load?.bytes)),
            ];
          }),
    );
  return table(head, rows);
}

export interface Goal {
  goal: string;
  limit: number;
  unit: 'x' | 'MB' | 'KB' | 'ms' | '%';
  /** One figure per round; the verdict uses their median. */
  rounds: number[];
}

/** Ratios are computed per round, because the two sides were then measured within seconds of each other. */
export function goalsOf(results: readonly Result[]): Goal[] {
  const measured = new Map(results.filter((result) => result.state === 'measured').map((r) => [r.target.name, r]));
  type Figure = (result: Measured, round: number) => number | undefined;
  const per = (name: string, figure: Figure): (number | undefined)[] => {
    const result = measured.get(name);
    return result ? result.calls.map((_, round) => figure(result, round)) : [];
  };
  const ratio = (goal: string, limit: number, ours: string, theirs: string, figure: Figure): Goal => {
    const floor = per(theirs, figure);
    const rounds = per(ours, figure).map((value, round) => (value ?? Number.NaN) / (floor[round] ?? Number.NaN));
    return { goal, limit, unit: 'x', rounds: rounds.filter((value) => !Number.isNaN(value)) };
  };
  const cpu =
    (era: Era): Figure =>
    (result, round) =>
      result.calls[round]?.eras[era]?.many.cpuMicros;
  const list =
    (era: Era): Figure =>
    (result, round) =>
      result.lists[round]?.eras[era]?.p50;
  const idle = per('sluice-stdio', ({ calls }, round) => (calls[round]?.idleRss ?? Number.NaN) / megabyte);
  return [
    ...(['legacy', 'modern'] as const).flatMap((era) => {
      const version = versionOf[era];
      return [
        ratio(`CPU a call, stdio, ${version}, to the raw aggregator`, 2.3, 'sluice-stdio', 'raw-stdio', cpu(era)),
        ratio(`CPU a call, HTTP, ${version}, to the raw aggregator`, 2.3, 'sluice-http', 'raw-http', cpu(era)),
        ratio(`CPU a call, stdio, ${version}, to mcp-proxy`, 0.5, 'sluice-stdio', 'mcp-proxy', cpu(era)),
        ratio(
          `CPU a call, ${version}, keys, events and metrics on, to off`,
          1.25,
          'sluice-guarded',
          'sluice-unguarded',
          cpu(era),
        ),
        ratio(`tools/list p50, ${version}, to the raw aggregator`, 1.5, 'sluice-stdio', 'raw-stdio', list(era)),
      ];
    }),
    ratio(
      'ten backends ready, to the raw aggregator',
      2,
      'sluice-stdio',
      'raw-stdio',
      ({ lists }, round) => lists[round]?.startMs,
    ),
    {
      goal: 'RSS idle, one stdio backend',
      limit: 110,
      unit: 'MB',
      rounds: idle.filter((value) => value !== undefined),
    },
  ];
}

export function goalTable(goals: readonly Goal[]): string {
  const head = ['goal', 'at most', 'measured', 'rounds', 'verdict'];
  const rows = goals.map(({ goal, limit, unit, rounds }) => {
    const show = (value: number) => `${value.toFixed(unit === 'MB' ? 0 : 2)} ${unit}`;
    if (rounds.length === 0) return [goal, `${limit} ${unit}`, '-', '', 'not measured'];
    const measured = median(rounds);
    const range = `${show(Math.min(...rounds))} – ${show(Math.max(...rounds))}`;
    return [goal, `${limit} ${unit}`, show(measured), range, measured <= limit ? 'pass' : '**fail**'];
  });
  return table(head, rows);
}

/** CPU per call compared with another build, per round: within that build's spread, or not. */
export function buildTable(results: readonly Result[]): string {
  const samples = (name: string, era: Era): number[] =>
    results.flatMap((result) =>
      result.target.name === name && result.state === 'measured'
        ? result.calls.flatMap(({ eras }) => eras[era]?.many.cpuMicros ?? [])
        : [],
    );
  const rows = compared.flatMap((name) =>
    (['legacy', 'modern'] as const).flatMap((era) => {
      const before = samples(buildName(name), era);
      const now = samples(name, era);
      if (before.length === 0 || now.length === 0) return [];
      const [least, most] = [Math.min(...before), Math.max(...before)];
      const middle = median(now);
      return [
        [
          `${name}, ${versionOf[era]}`,
          `${median(before).toFixed(0)} (${least.toFixed(0)} – ${most.toFixed(0)})`,
          `${middle.toFixed(0)} (${Math.min(...now).toFixed(0)} – ${Math.max(...now).toFixed(0)})`,
          `${(middle / median(before)).toFixed(2)} x`,
          middle <= most ? 'within' : '**above**',
        ],
      ];
    }),
  );
  return table(['CPU µs a call', 'other build', 'this build', 'ratio', 'spread of the other'], rows);
}
