/** Answers that did not fit into their reply. They were paid for, so the rest can be read for a while. */
export interface KeptAnswers {
  /** `owner` is the source and the principal: nobody else finds it. */
  keep(owner: string, id: string, text: string): void;
  find(owner: string, id: string): string | undefined;
}

/** The last answers, within these limits over all callers. The oldest go first. */
export function keptAnswers({ most = 100, characters = 8_000_000 } = {}): KeptAnswers {
  const kept = new Map<string, string>();
  let length = 0;

  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id]);

  function drop(key: string): void {
    length -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  }

  return {
    keep(owner, id, text) {
      const key = keyOf(owner, id);
      drop(key);
      kept.set(key, text);
      length += text.length;
      for (const oldest of kept.keys()) {
        if (oldest === key || (kept.size <= most && length <= characters)) break;
        drop(oldest);
      }
    },
    find: (owner, id) => kept.get(keyOf(owner, id)),
  };
}
