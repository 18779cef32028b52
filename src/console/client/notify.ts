import { signal } from '@preact/signals';
import { addressOf } from './api.ts';
import { linkTo } from './pages.ts';

/** `none`: this browser, or this address without TLS, has no notifications. */
export type Notifying = 'none' | 'off' | 'on' | 'denied';

interface Item {
  readonly part: string;
  readonly id: string;
  readonly title: string;
}

const KEY = 'sluice.notify';

const isWished = signal(wishIn());
const permission = signal(permissionNow());

export const notifying = (): Notifying => {
  if (permission.value === 'none') return 'none';
  if (!isWished.value) return 'off';
  if (permission.value === 'denied') return 'denied';
  return permission.value === 'granted' ? 'on' : 'off';
};

/** Asks the browser for the permission, which it grants only after a click. */
export async function startNotifying(): Promise<void> {
  wish(true);
  permission.value = await Notification.requestPermission();
}

export const stopNotifying = (): void => wish(false);

let seen: ReadonlySet<string> | undefined;

/** Tells of what was not there before, if nobody looks at this page. */
export function notifyOfNew(items: readonly Item[]): void {
  const before = seen;
  seen = new Set(items.map(keyOf));
  if (!before || !document.hidden || notifying() !== 'on') return;
  for (const item of items) if (!before.has(keyOf(item))) notify(item);
}

/** Somebody else looks now, to whom nothing is new. */
export const forgetSeen = (): void => {
  seen = undefined;
};

export const keyOf = ({ part, id }: Pick<Item, 'part' | 'id'>): string => `${part} ${id}`;

function notify(item: Item): void {
  try {
    // With the same tag, two tabs show one notification.
    const shown = new Notification('Sluice: something waits for you', { body: item.title, tag: keyOf(item) });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
      history.pushState(null, '', addressOf(linkTo('approvals')));
      dispatchEvent(new PopStateEvent('popstate'));
    });
  } catch {
    // Some browsers of phones allow only service workers to notify.
    permission.value = 'none';
  }
}

function permissionNow(): NotificationPermission | 'none' {
  return window.isSecureContext && 'Notification' in window ? Notification.permission : 'none';
}

function wishIn(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}

function wish(next: boolean): void {
  isWished.value = next;
  try {
    if (next) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
  } catch {
    // A browser may forbid storage: then it holds for this page.
  }
}
