import { AppError } from '../../kernel/errors.ts';
import type { OpenRouter } from './connection.ts';
import { keyReply } from './replies.ts';

/** Such as `OpenRouter, 342 models, $0.93 of the budget left until 2026-11-17T00:00Z`. */
export async function check(openrouter: OpenRouter, signal: AbortSignal): Promise<string> {
  const [models, { left, until }] = await Promise.all([
    openrouter.models(signal),
    openrouter.budget.state(),
    knowsKey(openrouter, signal),
  ]);
  return `OpenRouter, ${models.size} models, $${left.toFixed(2)} of the budget left until ${until}`;
}

/** The list of models needs no key, so it would not show a wrong one. */
async function knowsKey(openrouter: OpenRouter, signal: AbortSignal): Promise<void> {
  try {
    await openrouter.ask(keyReply, '/key', { signal });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unsupported') throw error;
  }
}
