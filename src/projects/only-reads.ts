import type { Callable } from '../kernel/callable.ts';
import { AppError } from '../kernel/errors.ts';
import type { Json } from '../kernel/source.ts';

/**
 * Why a tool may not be a check. Only tools that read: whoever asks for a status wants to change nothing. And none of
 * ours: a project that checks itself would never end.
 */
export function notForChecks({ name, source, entry }: Callable, args: Json): AppError | undefined {
  if (source === 'project')
    return new AppError('invalid_input', `${name} cannot be a check: a project cannot check projects.`);
  if ((entry.judge?.(args) ?? entry).effect === 'read') return undefined;
  return new AppError('invalid_input', `${name} cannot be a check: it changes things. Choose a tool that only reads.`);
}
