import type { CallContext, CallParams } from './source.ts';

/** Reports how far a call is. The number only rises. */
export type Progress = (progress: number, total?: number, message?: string) => void;

/** For callers that want no progress. */
export const silent: Progress = () => {};

/** Reports nothing if the caller sent no progress token. */
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
