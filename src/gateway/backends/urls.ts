import type { Lane } from './lane.ts';

/** How one of several URLs of a server is doing. */
export interface UrlStatus {
  /** Without query and credentials. */
  url: string;
  state: 'STOPPED' | 'STARTING' | 'RUNNING' | 'DEGRADED' | 'FAILED';
  lastError?: string;
}

/** A URL as it may be shown: a query or a user may hold a secret. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** A message about one of several URLs. */
export const at = (url: string | undefined, message: string): string =>
  url === undefined ? message : `${shownUrl(url)}: ${message}`;

export const isDown = ({ state }: UrlStatus): boolean => state === 'FAILED' || state === 'DEGRADED';

/** The state of each URL that these lanes use, in order. */
export function urlStates(
  lanes: readonly Pick<Lane, 'url' | 'state' | 'trouble'>[],
  redact: (text: string) => string,
): UrlStatus[] {
  const byUrl = Map.groupBy(
    lanes.filter(({ url }) => url !== undefined),
    ({ url = '' }) => url,
  );
  return [...byUrl].map(([url, own]) => {
    const state = stateOf(own);
    const trouble = own.find((lane) => lane.trouble)?.trouble;
    return {
      url: redact(shownUrl(url)),
      state,
      ...(trouble && state !== 'RUNNING' && { lastError: redact(trouble.message) }),
    };
  });
}

function stateOf(lanes: readonly Pick<Lane, 'state' | 'trouble'>[]): UrlStatus['state'] {
  const running = lanes.filter(({ state }) => state.state === 'running');
  if (running.some(({ trouble }) => !trouble)) return 'RUNNING';
  if (running.length > 0) return 'DEGRADED';
  // A lane that failed and tries again is starting again and again.
  if (lanes.some(({ trouble }) => trouble)) return 'FAILED';
  return lanes.some(({ state }) => state.state === 'starting') ? 'STARTING' : 'STOPPED';
}
