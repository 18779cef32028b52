/** Something that is loaded with its first use. */
export interface Late<T, Given extends unknown[] = []> {
  (...given: Given): Promise<T>;
  /** What was loaded, or is being loaded; undefined if nobody used it. For those who close it. */
  begun(): Promise<T> | undefined;
}

/** Loads with the first use, and once. A failure is not kept: the next use tries again. */
export function late<T, Given extends unknown[] = []>(load: (...given: Given) => Promise<T>): Late<T, Given> {
  let loading: Promise<T> | undefined;
  const begin = async (...given: Given) => load(...given);
  const use = (...given: Given) =>
    (loading ??= begin(...given).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return Object.assign(use, { begun: () => loading });
}
