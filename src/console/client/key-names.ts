import { signal } from '@preact/signals';
import { Failed, get } from './api.ts';
import { useData } from './data.ts';
import { may } from './session.ts';

/** What keys are called, by the id of their principal, for whoever may see the keys. Events and usage know only the ids. */
export const keyNames = signal<ReadonlyMap<string, string>>(new Map());

const EVERY_MS = 60_000;

/** Keeps the names fresh while a page is open that shows who called. */
export function useKeyNames(): void {
  useData(
    async (signal) => {
      if (!may('admin')) return;
      try {
        const { keys } = await get<{ keys: { id: string; name: string }[] }>('api/v1/keys', signal);
        keyNames.value = new Map(keys.map(({ id, name }) => [`key:${id}`, name]));
      } catch (error) {
        // Ids do, too.
        if (!(error instanceof Failed)) throw error;
      }
    },
    [],
    EVERY_MS,
  );
}
