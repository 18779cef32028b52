/** Something that its first use opens. */
export interface FirstUse<T> {
  /** Callers share what is open, or about to be. After a failure, the next call tries again. */
  open(): Promise<T>;
  /** Undefined while it is not open. */
  peek(): T | undefined;
  /** What is open, or about to be. Undefined if nobody has used it, or if it could not be opened. */
  settled(): Promise<T | undefined>;
  /** The next use opens it again. */
  close(): Promise<void>;
}

export function byFirstUse<T extends AsyncDisposable>(load: () => Promise<T>): FirstUse<T> {
  let opening: Promise<T> | undefined;
  let opened: T | undefined;

  function open(): Promise<T> {
    if (opening) return opening;
    const begun = load().then(
      (done) => {
        // It may have been closed meanwhile, which waits for it.
        if (opening === begun) opened = done;
        return done;
      },
      (error: unknown) => {
        if (opening === begun) opening = undefined;
        throw error;
      },
    );
    return (opening = begun);
  }

  const settled = async () => opening?.catch(() => undefined);

  async function close(): Promise<void> {
    const closing = settled();
    opening = undefined;
    opened = undefined;
    await (await closing)?.[Symbol.asyncDispose]();
  }

  return { open, peek: () => opened, settled, close };
}
