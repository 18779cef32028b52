import type { UsageReport, UsageRow } from '../gateway/status/usage.ts';
import type { Command } from '../kernel/command.ts';
import { callOwn } from './client.ts';
import { exit, UsageError } from './frame.ts';
import { type GatewayAccess, reachRunning } from './reach.ts';
import { firstLine, table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

const FEW = 10;
const kinds = ['tool', 'source', 'key'] as const;

export function usageCommand(access: GatewayAccess, terminal: Terminal): Command {
  return {
    name: 'usage',
    summary: 'Shows which tools are used most, are slowest, and fail most',
    usage: 'sluice usage [--since 24h] [--by tool|source|key] [--limit N] [--json]',
    example: 'sluice usage --by key --since 7d',
    options: {
      since: { type: 'string', describe: 'An ISO time, or how long ago: 15m, 24h, 7d (24h)' },
      by: { type: 'string', describe: 'What is counted: tool, source or key (tool)' },
      limit: { type: 'string', describe: `How many of each list, up to 200 (${FEW})` },
      json: { type: 'boolean', describe: 'Print what gateway_usage answers' },
    },
    async run({ values }) {
      const by = kinds.find((kind) => kind === (values.by ?? 'tool'));
      if (!by) throw new UsageError(`--by is tool, source or key, not ${values.by}`);
      const limit = Number(values.limit ?? FEW);
      if (!Number.isInteger(limit) || limit < 1 || limit > 200)
        throw new UsageError(`--limit is a number from 1 to 200, not ${values.limit}`);
      await using client = await reachRunning(access);
      const asked = { by, limit, ...(values.since !== undefined && { since: values.since }) };
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
