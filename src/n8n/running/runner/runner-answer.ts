import { bodyOf, type RawAnswer } from '../web-answer.ts';
import { EXECUTION_HEADER } from './runner-workflow.ts';

/** The execution of the workflow that the runner called; undefined if it called none. */
export const executionIn = ({ headers }: RawAnswer): string | undefined => headers.get(EXECUTION_HEADER) || undefined;

/** Why the workflow that the runner called failed. The runner answers with an ordinary item, { error }. */
export function failureIn(answer: RawAnswer): string | undefined {
  const body = bodyOf(answer);
  const [item] = (Array.isArray(body) && body.length === 1 ? body : []) as { error?: unknown }[];
  // A regular item may have a key `error` among others.
  if (!item || Object.keys(item).some((key) => !['error', 'message', 'details'].includes(key))) return undefined;
  const { error } = item;
  if (typeof error === 'string') return error;
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}
