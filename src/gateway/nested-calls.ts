import { AppError } from '../kernel/errors.ts';
import type { CallContext } from '../kernel/source.ts';
import type { BackendSettings } from './settings.ts';

const nothing: Disposable = { [Symbol.dispose]() {} };

/**
 * A server whose tools may call us, and so themselves, without saying on whose behalf: what it cannot be told from a loop
 * is held back when too many are at work, before the loop takes everything.
 */
export function createNestedCalls(nested: BackendSettings['nested']) {
  if (!nested) return () => nothing;
  const clients = new RegExp(nested.clients);
  let now = 0;
  return (tool: string, { client }: Pick<CallContext, 'client'>): Disposable => {
    const name = client.info?.name;
    if (typeof name !== 'string' || !clients.test(name)) return nothing;
    if (now >= nested.most) {
      throw new AppError(
        'rate_limited',
        `${tool} was not called: ${nested.most} calls that came from there are at work, as in a loop. Look whether what it runs calls it again, or try again when they have ended.`,
      );
    }
    now++;
    return { [Symbol.dispose]: () => void now-- };
  };
}
