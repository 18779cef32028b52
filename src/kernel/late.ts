/** Something that is loaded with its first use. */
export interface Late<T> {
  (): Promise<T>;
  /** What was loaded, or is being loaded; undefined if nobody used it. For those who close it. */
  begun(): Promise<T> | undefined;
}

/** Loads with the first use, and once. A failure is not kept: the next use tries again. */
export function late<T>(load: () => Promise<T>): Late<T> {
  let loading: Promise<T> | undefined;
  const begin = async () => load();
  const use = () =>
    (loading ??= begin().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return Object.assign(use, { begun: () => loading });
}
