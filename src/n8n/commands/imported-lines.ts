import { firstLine } from '../../cli/table.ts';
import type { Json } from '../../kernel/source.ts';

const MOST_LINES = 60;
const LONGEST = 300;

/** What an import answered, as lines to read: the new workflow, what is left to fill, then whatever else there is. */
export function importedLines(done: Json): { readonly id?: string; readonly lines: string[] } {
  const { workflow, to_fill: toFill, ...rest } = done;
  const { id, name } = Object(workflow) as { id?: unknown; name?: unknown };
  const lines = [
    ...(typeof name === 'string' && typeof id === 'string' ? [`"${firstLine(name)}" is a draft in n8n.`] : []),
    ...(Array.isArray(toFill) && toFill.length > 0 ? ['To fill in:', ...toFill.map((one) => `  ${said(one)}`)] : []),
    ...Object.entries(rest).flatMap(([key, value]) => linesOf(key.replaceAll('_', ' '), value)),
  ];
  return { ...(typeof id === 'string' && { id }), lines: lines.slice(0, MOST_LINES) };
}

function linesOf(key: string, value: unknown): string[] {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
  if (!Array.isArray(value)) return [`${firstLine(key)}: ${said(value)}`];
  return [`${firstLine(key)}:`, ...value.map((one) => `  ${said(one)}`)];
}

/** `{ node: 'Slack', type: 'slackApi' }` as `node Slack, type slackApi`. */
function said(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : isPlain(value)
        ? Object.entries(value)
            .map(([key, one]) => `${key.replaceAll('_', ' ')} ${typeof one === 'string' ? one : JSON.stringify(one)}`)
            .join(', ')
        : JSON.stringify(value);
  const line = firstLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
