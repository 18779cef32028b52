import type { CallContext, CallParams } from './source.ts';

/** Tells the caller how far a call is. Numbers only ever rise; a message says it in words. */
export type Progress = (progress: number, total?: number, message?: string) => void;

const silent: Progress = () => {};

/** Nothing is told to a caller who gave no token for it. */
export function progressFor({ _meta }: CallParams, context: CallContext): Progress {
  const progressToken = _meta?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return silent;
  return (progress, total, message) =>
    context.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
}
