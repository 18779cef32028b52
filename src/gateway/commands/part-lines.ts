import type { GatewayStatus } from '../status/status.ts';
import { shortDuration } from '../../host/short-duration.ts';
import { cut, firstLine, table } from '../../cli/table.ts';
import type { Style, Terminal } from '../../host/terminal.ts';

type Part = GatewayStatus['parts'][number];
type Paper = Pick<Terminal, 'width' | 'paint'>;

const overall: Record<GatewayStatus['state'], Style> = { ok: 'green', degraded: 'yellow', failed: 'red' };

/** The overall state, and a line per problem. */
export function overallLines({ state, problems }: GatewayStatus, { width, paint }: Paper): string[] {
  return [`State: ${paint(overall[state], state)}`, ...problems.map((line) => cut(`  ${line}`, width))];
}

const colours: Record<Part['state'], Style> = {
  ready: 'green',
  starting: 'yellow',
  degraded: 'yellow',
  failing: 'red',
  off: 'dim',
};

/** Everything besides the servers, as a table. */
export function partLines(parts: readonly Part[], { width, paint }: Paper, now: number): string[] {
  if (parts.length === 0) return [];
  const rows = parts.map((part) => [part.name, part.state, sinceOf(part, now), noteOf(part, now)]);
  return table([['PART', 'STATE', 'SINCE', 'DETAIL'], ...rows]).map((line, index) => {
    const state = parts[index - 1]?.state;
    const shown = cut(line, width);
    return state ? shown.replace(` ${state} `, ` ${paint(colours[state], state)} `) : paint('bold', shown);
  });
}

const sinceOf = ({ since }: Part, now: number) => (since === undefined ? '-' : shortDuration(now - Date.parse(since)));

function noteOf({ state, detail, lastError, retryAt }: Part, now: number): string {
  const next =
    retryAt === undefined ? '' : ` (next attempt in ${shortDuration(Math.max(0, Date.parse(retryAt) - now))})`;
  const ago = lastError && shortDuration(now - Date.parse(lastError.at));
  const error = lastError && `${ago} ago: ${firstLine(lastError.message)}`;
  // Show the current state first, past errors after it.
  const notes =
    state === 'ready' || state === 'starting'
      ? [detail, error && `last error ${error}`]
      : [error, error?.includes(detail ?? '') ? '' : detail];
  return (
    notes
      .filter(Boolean)
      .join('; ')
      .replace(/\.(?=; )/g, '') + next
  );
}
