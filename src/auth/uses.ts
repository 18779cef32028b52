import type { Principal } from '../kernel/principal.ts';
import type { Tables } from '../store/store.ts';

/** When keys were used last. */
export interface Uses extends AsyncDisposable {
  /** A request of this caller was admitted. */
  noted(principal: Principal): void;
  /** ISO times by the id of the key. Other replicas are up to a minute behind. */
  last(): Promise<ReadonlyMap<string, string>>;
}

const SAVE_MS = 60_000;

/** Kept in memory and saved now and then: a request must not wait for a write. */
export function createUses(tables: Tables, now: () => number = Date.now): Uses {
  let unsaved = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    const mine = unsaved;
    unsaved = new Map();
    for (const [id, at] of mine) {
      try {
        await tables.change(
          `INSERT INTO key_uses (key_id, used_at) VALUES (?, ?)
           ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at WHERE excluded.used_at > key_uses.used_at`,
          id,
          new Date(at).toISOString(),
        );
      } catch {
        // The store is out of reach. The next use of the key tries again.
        return;
      }
    }
  }

  return {
    noted({ id }) {
      if (!id.startsWith('key:')) return;
      unsaved.set(id.slice('key:'.length), now());
      timer ??= setTimeout(() => {
        timer = undefined;
        void save();
      }, SAVE_MS).unref();
    },
    async last() {
      const rows = await tables.rows<{ key_id: string; used_at: string }>('SELECT key_id, used_at FROM key_uses');
      const fresh = [...unsaved].map(([id, at]): [string, string] => [id, new Date(at).toISOString()]);
      return new Map([...rows.map((row): [string, string] => [row.key_id, row.used_at]), ...fresh]);
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await save();
    },
  };
}
