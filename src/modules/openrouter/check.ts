import { AppError } from '../../kernel/errors.ts';
import type { OpenRouter } from './connection.ts';
import { keyReply } from './replies.ts';

/** Such as `OpenRouter, 342 models, at most $5 a day`. */
export async function check(openrouter: OpenRouter, signal: AbortSignal): Promise<string> {
  const [models] = await Promise.all([openrouter.models(signal), knowsKey(openrouter, signal)]);
  const { amount, per } = openrouter.limit;
  return `OpenRouter, ${models.size} models, at most $${amount} a ${per}`;
}

/** The list of models needs no key, so it would not show a wrong one. */
async function knowsKey(openrouter: OpenRouter, signal: AbortSignal): Promise<void> {
  try {
    await openrouter.ask(keyReply, '/key', { signal });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unsupported') throw error;
  }
}
