import { callOwn } from '../../cli/client.ts';
import { exit } from '../../cli/frame.ts';
import { reachRunning } from '../../cli/reach.ts';
import { firstLine, table } from '../../cli/table.ts';
import { choiceIn, given, numberIn, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Action } from '../../kernel/command.ts';
import type { UsageReport, UsageRow } from '../status/usage.ts';

const FEW = 10;
const kinds = ['tool', 'source', 'key'] as const;

export function usageCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: '[--since 24h] [--by tool|source|key] [--limit N] [--json]',
    example: 'sluice usage --by key --since 7d',
    options: {
      since: { type: 'string', describe: 'An ISO time, or how long ago: 15m, 24h, 7d (24h)' },
      by: { type: 'string', describe: 'What to count: tool, source or key (tool)' },
      limit: { type: 'string', describe: `How many rows per list, up to 200 (${FEW})` },
      json: { type: 'boolean', describe: 'Print the answer of gateway_usage' },
    },
    async run({ values }) {
      const by = choiceIn(values, 'by', kinds) ?? 'tool';
      const limit = numberIn(values, 'limit', [1, 200]) ?? FEW;
      await using client = await reachRunning(place);
      const asked = { by, limit, ...given('since', textIn(values, 'since')) };
      const report = await callOwn<UsageReport>(client, 'gateway_usage', asked);
      terminal.print(values.json ? JSON.stringify(report, null, 2) : usageText(report, terminal));
      return exit.done;
    },
  };
}

/** The report as a person reads it. */
export function usageText(report: UsageReport, { width, paint }: Pick<Terminal, 'width' | 'paint'>): string {
  const { since, by, calls, failed, distinct, mostUsed, slowest, mostFailing } = report;
  const things = `${distinct} ${by}${distinct === 1 ? '' : 's'}`;
  const head = `${number(calls)} calls to ${things} since ${since}, ${number(failed)} of them failed.`;
  if (calls === 0) return `No calls since ${since}.`;
  const list = (title: string, rows: readonly UsageRow[]) => {
    if (rows.length === 0) return [];
    const [heading, ...lines] = table([[by.toUpperCase(), ...headings], ...rows.map(cells)], width);
    return ['', title, paint('bold', heading as string), ...lines];
  };
  return [
    by === 'key' ? head.replace(' to ', ' by ') : head,
    ...list('Most used:', mostUsed),
    ...list('Slowest:', slowest),
    ...list('Failing most:', mostFailing),
  ].join('\n');
}

const headings = ['CALLS', 'FAILED', 'P50', 'P95', 'MOSTLY BECAUSE'];

function cells({ name, calls, failed, p50Ms, p95Ms, reason }: UsageRow): string[] {
  return [
    firstLine(name),
    number(calls),
    number(failed),
    milliseconds(p50Ms),
    milliseconds(p95Ms),
    firstLine(reason ?? ''),
  ];
}

const number = (value: number) => value.toLocaleString('en-US');
const milliseconds = (value: number | undefined) => (value === undefined ? '-' : `${value} ms`);
