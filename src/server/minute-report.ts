const MINUTE_MS = 60_000;

/**
 * Reports a fact at once, and after a minute how often it was repeated. Distinguishes at most `most` facts a minute, so
 * that nobody can fill the disk. `others` gets the number of facts beyond that.
 */
export function createMinuteReport<Fact extends object>(options: {
  most: number;
  tell(fact: Fact & { readonly times: number }): void;
  others?(times: number): void;
}) {
  const { most, tell, others } = options;
  const again = new Map<string, { readonly fact: Fact; times: number }>();
  let besides = 0;
  const timer = setInterval(() => {
    for (const { fact, times } of again.values()) if (times > 0) tell({ ...fact, times });
    if (besides > 0) others?.(besides);
    again.clear();
    besides = 0;
  }, MINUTE_MS).unref();
  return {
    /** `key` identifies the fact. */
    add(key: string, make: () => Fact): void {
      const known = again.get(key);
      if (known) known.times++;
      else if (again.size >= most) besides++;
      else {
        const fact = make();
        again.set(key, { fact, times: 0 });
        tell({ ...fact, times: 1 });
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
