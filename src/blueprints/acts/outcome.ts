import type { Outcome } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Acted } from './act.ts';

/** Codes that say that the same call can never succeed. */
const hopeless: ReadonlySet<string> = new Set(['invalid_input', 'forbidden', 'unsupported', 'wrong_method']);
const LONGEST_ERROR = 2000;

/** How a tool's answer counts: its data if it has any, otherwise its text, read as JSON if it is that. */
export function actedFrom(outcome: Outcome): Acted {
  if ('error' in outcome) return { error: shortened(outcome.error.message), ...hopes(outcome) };
  const { result } = outcome;
  if (result.isError === true) return { error: shortened(textIn(result.content) || 'It failed.'), ...hopes(outcome) };
  if (result.resultType === 'input_required')
    return { error: 'It asks a question, and nobody can answer during a run.', final: true };
  const execution = outcome.execution === undefined ? {} : { execution: outcome.execution };
  return { result: valueIn(result), ...execution };
}

const hopes = ({ failed }: Outcome): { final?: boolean } =>
  failed && hopeless.has(failed.code) ? { final: true } : {};

function valueIn(result: Readonly<Record<string, unknown>>): unknown {
  if (isObject(result.structuredContent)) return result.structuredContent;
  const text = textIn(result.content);
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) =>
      isObject(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');
}

const shortened = (text: string): string => (text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR)}…` : text);
