import { AppError } from './errors.ts';

/** Whether a service is up, and a way to wait for it. */
export interface Presence {
  /** As far as known without asking it. */
  isUp(): boolean;
  /**
   * Resolves at once if the service is up. Rejects with what to do if it is not there or does not come up in time.
   * `onWait` is called once, if there is something to wait for.
   */
  untilUp(signal: AbortSignal, onWait?: () => void): Promise<void>;
}

/** Waits for a service on behalf of a call; resolves at once if it is up. */
export async function untilPresent(presence: Presence, signal = new AbortController().signal): Promise<void> {
  if (presence.isUp()) return;
  try {
    await presence.untilUp(signal);
  } catch (error) {
    throw signal.aborted ? new AppError('cancelled', 'The call was cancelled.', { cause: error }) : error;
  }
}
