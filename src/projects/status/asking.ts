import type { GatewayApi } from '../../gateway/open.ts';
import { denial } from '../../kernel/call.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { CallContext, Json, Outcome } from '../../kernel/source.ts';
import { notForChecks } from '../only-reads.ts';

/** What a tool answered. */
export type Answer =
  | { readonly kind: 'data'; readonly data: Json; readonly text: string }
  | { readonly kind: 'error'; readonly message: string; readonly code?: ErrorCode }
  /** There is no such tool. */
  | { readonly kind: 'absent' }
  /** The caller may not call it. */
  | { readonly kind: 'forbidden' };

/** Calls a tool as whoever asks for the status. Never rejects. */
export type Ask = (tool: string, args: Json) => Promise<Answer>;

export type CheckGateway = Pick<GatewayApi, 'call' | 'registry' | 'visibility'>;

export function asking(gateway: CheckGateway, context: CallContext, signal: AbortSignal): Ask {
  const { principal } = context;
  return async (name, args) => {
    if (!gateway.registry.find(name)) return { kind: 'absent' };
    const tool = gateway.visibility.projection({ view: {}, principal }).find(name);
    const isDenied = !tool || denial(principal, tool, args) !== undefined;
    // Called all the same: the events record who tried.
    const outcome = await gateway.call(name, args, quietly(context, signal), notForChecks);
    return isDenied ? { kind: 'forbidden' } : answerOf(outcome);
  };
}

/** Nobody is asked or told anything by a check: one status may make hundreds of calls. */
function quietly({ principal, trace, client }: CallContext, signal: AbortSignal): CallContext {
  return {
    principal,
    trace,
    client,
    signal,
    inner: true,
    notify() {},
    ask: () => Promise.reject(new AppError('unsupported', 'It asks its user something, which a check cannot answer.')),
  };
}

function answerOf(outcome: Outcome): Answer {
  if ('error' in outcome) {
    const { failed, error } = outcome;
    return { kind: 'error', message: error.message, ...(failed && { code: failed.code }) };
  }
  const { result, failed } = outcome;
  const text = textIn(result);
  if (failed) return { kind: 'error', message: failed.message, code: failed.code };
  if (result.isError === true) return { kind: 'error', message: text || 'The tool failed without saying why.' };
  if (result.resultType === 'input_required')
    return { kind: 'error', message: 'It asks its user something, which a check cannot answer.', code: 'unsupported' };
  return { kind: 'data', data: dataIn(result, text), text };
}

/** The first text of a result. */
function textIn({ content }: Json): string {
  if (!Array.isArray(content)) return '';
  for (const block of content as unknown[])
    if (isObject(block) && block.type === 'text' && typeof block.text === 'string') return block.text;
  return '';
}

/** A text that is longer is no small answer: it is not worth reading as data. */
const LONGEST_PARSED = 1_000_000;

/** Older servers write their data as text only. */
function dataIn({ structuredContent }: Json, text: string): Json {
  if (isObject(structuredContent)) return structuredContent;
  if (!text.startsWith('{') || text.length > LONGEST_PARSED) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
