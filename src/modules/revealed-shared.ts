import { messageOf } from '../kernel/errors.ts';
import { createSeal } from '../kernel/seal.ts';
import type { Revealed } from './revealed.ts';
import type { ModulesHost } from './settings.ts';

/** A replica that starts later learns what was revealed until then, too. */
const KEPT_MS = 3_600_000;
const ABOUT = 'a revealed value';

type Sharing = Pick<Revealed, 'add'> & AsyncDisposable;

/** Tells all replicas what a tool of one has revealed. The store has it encrypted, and for an hour. */
export function shareRevealed({ store, shared, log }: ModulesHost, known: Revealed): Sharing {
  const seal = store.settings.secret('revealed-values').then(createSeal);
  const working = new Set<Promise<void>>();
  const seen = new Set<string>();

  function work(done: Promise<void>): void {
    const noted: Promise<void> = done
      .catch((error: unknown) =>
        log?.write('warn', `What a tool revealed could not be shared with other replicas: ${messageOf(error)}`),
      )
      .finally(() => working.delete(noted));
    working.add(noted);
  }

  async function tell(value: string): Promise<void> {
    const now = Date.now();
    const sealed = (await seal).seal(value, ABOUT);
    seen.add(sealed);
    await store.tables.change('DELETE FROM module_revealed WHERE expires_at <= ?', now);
    await store.tables.change('INSERT INTO module_revealed (sealed, expires_at) VALUES (?, ?)', sealed, now + KEPT_MS);
    shared.tell('revealed');
  }

  async function learn(): Promise<void> {
    const rows = await store.tables.rows<{ sealed: string }>(
      'SELECT sealed FROM module_revealed WHERE expires_at > ?',
      Date.now(),
    );
    const { open } = await seal;
    for (const { sealed } of rows) {
      if (seen.has(sealed)) continue;
      seen.add(sealed);
      known.add(open(sealed, ABOUT));
    }
    const current = new Set(rows.map(({ sealed }) => sealed));
    for (const sealed of seen) if (!current.has(sealed)) seen.delete(sealed);
  }

  const hearing = shared.hear('revealed', () => work(learn()));
  work(learn());
  return {
    add(value) {
      const isKnown = known.values().includes(value);
      known.add(value);
      if (!isKnown) work(tell(value));
    },
    async [Symbol.asyncDispose]() {
      hearing[Symbol.dispose]();
      await Promise.all(working);
    },
  };
}
