import { render } from 'preact';
import { LocationProvider } from 'preact-iso/router';
import { Failed } from './api.ts';
import { Frame } from './frame.tsx';
import { type PageEntry, pages } from './pages.ts';
import { loadSession, lostSince, watchSession } from './session.ts';
import { applyTheme } from './theme.tsx';

const RETRY_MS = 2000;

/** Links of the console itself; everything else leaves it. */
const ours = /^(?:\.\/)?(?:console(?:[/?]|$)|$)/;

/** Shows the console with these pages. */
export function start(all: readonly PageEntry[]): void {
  pages.value = all;
  applyTheme();
  watchSession();
  // Fetch the page while the gateway says who looks. If that fails, the frame says so when it shows the page.
  const [, first = ''] = /\/console\/([^/]+)/.exec(location.pathname) ?? [];
  all
    .find(({ path }) => path === first)
    ?.load()
    .catch(() => {});
  const root = document.getElementById('console') as HTMLElement;
  void begin();
  root.replaceChildren();
  render(
    <LocationProvider scope={ours}>
      <Frame />
    </LocationProvider>,
    root,
  );
}

async function begin(): Promise<void> {
  try {
    await loadSession();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    lostSince.value ??= Date.now();
    setTimeout(() => void begin(), RETRY_MS);
  }
}
