import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Failed, get, send } from './api.ts';
import { forgetSeen, notifyOfNew } from './notify.ts';
import { lostSince, revived, session } from './session.ts';

/** Something that waits for a person. */
export interface WaitingItem {
  readonly part: string;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly detail?: string;
  /** Who asks. */
  readonly by?: string;
  readonly data?: unknown;
  readonly since?: string;
  readonly expires?: string;
  /** Where in the console one sees more. */
  readonly page?: string;
  readonly link?: string;
  readonly decides: boolean;
  readonly refuses?: boolean;
  readonly why?: string;
}

export interface WaitingAnswer {
  readonly items: readonly WaitingItem[];
  /** Parts that could not say what waits. */
  readonly missing: readonly { readonly part: string; readonly reason: string }[];
}

/** The newest answer; undefined until there is one. */
export const waiting = signal<WaitingAnswer | undefined>(undefined);
/** Why the last question had no answer. */
export const waitingProblem = signal<Failed | undefined>(undefined);
export const waitingCount = computed(() => waiting.value?.items.length ?? 0);

const VISIBLE_MS = 5000;
const HIDDEN_MS = 30_000;
const LOST_MS = 1500;

let last = 0;

let whose: string | undefined;
session.subscribe((who) => {
  if (who?.principal === whose) return;
  whose = who?.principal;
  last++;
  waiting.value = undefined;
  waitingProblem.value = undefined;
  forgetSeen();
});

/** Asks again at once: something was decided. */
export async function refreshWaiting(): Promise<void> {
  const mine = ++last;
  try {
    const answer = await get<WaitingAnswer>('api/v1/waiting');
    if (mine !== last) return;
    waiting.value = answer;
    waitingProblem.value = undefined;
    notifyOfNew(answer.items);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (mine === last) waitingProblem.value = error;
  }
}

/** The person does not want the call: its token is void. */
export async function withdraw({ waits }: Failed): Promise<void> {
  if (waits === undefined) return;
  const path = `api/v1/waiting/confirmations/${encodeURIComponent(waits)}`;
  // It may be decided already, or over.
  await send('POST', path, { approve: false }).catch(() => {});
  await refreshWaiting();
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
