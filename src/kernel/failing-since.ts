import { messageOf } from './errors.ts';

/** Work that is tried again and again, and since when it has failed. */
export interface FailingSince {
  /** Never throws. */
  tried(work: () => Promise<void>): Promise<void>;
  /** Undefined if the last try succeeded. */
  failure(): { readonly message: string; readonly at: string } | undefined;
}

export function failingSince(): FailingSince {
  let failure: ReturnType<FailingSince['failure']>;
  return {
    async tried(work) {
      try {
        await work();
        failure = undefined;
      } catch (error) {
        failure ??= { message: messageOf(error), at: new Date().toISOString() };
      }
    },
    failure: () => failure,
  };
}
