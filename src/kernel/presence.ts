import { AppError } from './errors.ts';

/** Whether a service is up, and the wait for one that is coming up. */
export interface Presence {
  /** As far as is known without asking it. */
  isUp(): boolean;
  /**
   * Settles at once when it is up. Fails with what to do when it is not there, or is not up in time. `onWait` is called
   * once, if there is anything to wait for.
   */
  untilUp(signal: AbortSignal, onWait?: () => void): Promise<void>;
}

/** Waits for a service that is not up, on behalf of a call; settles at once when it is. */
export async function untilPresent(presence: Presence, signal = new AbortController().signal): Promise<void> {
  if (presence.isUp()) return;
  try {
    await presence.untilUp(signal);
  } catch (error) {
    throw signal.aborted ? new AppError('cancelled', 'The call was cancelled.', { cause: error }) : error;
  }
}
