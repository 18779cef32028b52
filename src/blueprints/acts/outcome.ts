import type { AppError } from '../../kernel/errors.ts';
import type { Outcome } from '../../kernel/source.ts';
import { neverSent } from '../../kernel/unreachable.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Acted } from './act.ts';

/** Codes that say that the same call can never succeed. */
const hopeless: ReadonlySet<string> = new Set(['invalid_input', 'forbidden', 'unsupported', 'wrong_method']);
/** Codes of connections that broke after they stood. */
const broken: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const MOST_CAUSES = 5;

/** How a tool's answer counts: its data if it has any, otherwise its text, read as JSON if it is that. */
export function actedFrom(outcome: Outcome): Acted {
  if ('error' in outcome) return { error: outcome.error.message, ...knownAbout(outcome) };
  const { result } = outcome;
  if (result.isError === true) return { error: textIn(result.content) || 'It failed.', ...knownAbout(outcome) };
  if (result.resultType === 'input_required')
    return { error: 'It asks a question, and nobody can answer during a run.', final: true };
  const execution = outcome.execution === undefined ? {} : { execution: outcome.execution };
  return { result: valueIn(result), ...execution };
}

function knownAbout({ failed }: Outcome): Omit<Extract<Acted, { error: string }>, 'error'> {
  if (!failed) return {};
  const execution = failed.data?.execution;
  return {
    ...(hopeless.has(failed.code) && { final: true }),
    ...(mayHaveRun(failed) && { unsure: true }),
    ...(failed.code === 'unavailable' && { away: wasNotSent(failed) ? ('unsent' as const) : ('maybe sent' as const) }),
    ...(typeof execution === 'string' && { execution }),
  };
}

/** Whether the call was given away and no answer came: a lost connection, a server that died or fell silent. */
function mayHaveRun({ code, data, cause }: AppError): boolean {
  if (data?.notExecuted === true) return false;
  if (code === 'timeout' || data?.begun === true) return true;
  return code === 'unavailable' && (data?.notExecuted === false || isBroken(cause));
}

function wasNotSent({ data, cause }: AppError): boolean {
  return data?.notExecuted === true || (data?.begun !== true && neverSent(cause));
}

const isBroken = (cause: unknown): boolean =>
  causes(cause).some((error) => broken.has(String((error as NodeJS.ErrnoException).code)));

/** An error and what caused it. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let inner = error; inner instanceof Error && found.length < MOST_CAUSES; inner = inner.cause) found.push(inner);
  return found;
}

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
