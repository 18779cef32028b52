import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Failed, get } from './api.ts';
import { lostSince, revived } from './session.ts';

/** Something that waits for a person. */
export interface WaitingItem {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly detail?: string;
  readonly since: string;
  readonly expires?: string;
  /** Where in the console one sees more. */
  readonly page?: string;
}

export const waiting = signal<readonly WaitingItem[]>([]);
export const waitingCount = computed(() => waiting.value.length);

const VISIBLE_MS = 5000;
const HIDDEN_MS = 30_000;
const LOST_MS = 1500;

/** Asks again at once: something was decided. */
export async function refreshWaiting(): Promise<void> {
  try {
    waiting.value = (await get<{ items: WaitingItem[] }>('api/v1/waiting')).items;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
  }
}

/** Keeps the count fresh, also in the title of a hidden tab. It is the pulse of the page: it notices a lost gateway, too. */
export function useWaitingCount(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const beat = async () => {
      await refreshWaiting();
      const pause = document.hidden ? HIDDEN_MS : lostSince.value === undefined ? VISIBLE_MS : LOST_MS;
      timer = setTimeout(() => void beat(), pause);
    };
    const seen = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void beat();
    };
    void beat();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [revived.value]);
}
