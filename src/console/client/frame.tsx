import { useSignal } from '@preact/signals';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { useLocation } from 'preact-iso/router';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { KeyHelp, useKeys } from './keys.tsx';
import { linkTo, type PageEntry, type PageProps, pages, shownPages } from './pages.ts';
import { ended, lostSince, may, session, signOut } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { ThemeButton } from './theme.tsx';
import { Ago } from './ui/ago.tsx';
import { Dialogs } from './ui/dialog.tsx';
import { Action } from './ui/fields.tsx';
import { Notices } from './ui/notice.tsx';
import { Page } from './ui/page.tsx';
import { Waiting } from './ui/waiting.tsx';
import { useWaitingCount, waitingCount } from './waiting.ts';

const base = new URL(document.baseURI).pathname;

/** What surrounds every page: where one can go, what waits, whether the gateway is there. */
export function Frame() {
  const { path } = useLocation();
  const who = session.value;
  if (!who) {
    return (
      <main class="lone">
        {lostSince.value === undefined ? (
          <Waiting>Asking the gateway who you are …</Waiting>
        ) : (
          <p role="alert">The gateway does not answer. This page keeps trying.</p>
        )}
      </main>
    );
  }
  if (!who.signedIn) return <SignIn why={ended.value} />;
  const shown = shownPages.value;
  const [first = '', ...rest] = segmentsOf(path);
  // Who may not see the overview begins with what they may see.
  const page = shown.find((one) => one.path === first) ?? (first === '' ? shown[0] : undefined);
  const hidden = pages.value.find((one) => one.path === first);
  // Nothing of one may stay for another, who signed in in another tab.
  return <Signed key={who.principal} pages={shown} page={page} rest={rest} hidden={hidden} />;
}

interface SignedProps {
  readonly pages: readonly PageEntry[];
  readonly page: PageEntry | undefined;
  readonly rest: readonly string[];
  /** The page asked for, if whoever looks may not see it. */
  readonly hidden: PageEntry | undefined;
}

function Signed({ pages, page, rest, hidden }: SignedProps) {
  useWaitingCount();
  const { route } = useLocation();
  const help = useSignal(false);
  const open = useSignal(false);
  const main = useRef<HTMLElement>(null);
  useKeys(
    pages,
    (path) => route(base + linkTo(path)),
    () => (help.value = !help.value),
  );
  useEffect(() => {
    document.title = `${waitingCount.value > 0 ? `(${waitingCount.value}) ` : ''}${page?.title ?? 'Not found'} – Sluice`;
  }, [page, waitingCount.value]);
  useEffect(() => {
    open.value = false;
    main.current?.scrollTo(0, 0);
  }, [page?.path]);
  const who = session.value;
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Go to the content
      </a>
      <header class="side" data-open={open.value}>
        <div class="brand">
          <img src="console/assets/icon.svg" alt="" width="26" height="26" />
          <b>Sluice</b>
          <button
            type="button"
            class="menu"
            aria-expanded={open.value}
            aria-controls="pages"
            onClick={() => (open.value = !open.value)}
          >
            Menu
          </button>
        </div>
        <nav id="pages" aria-label="Pages">
          {pages.map(({ path, title, key }) => (
            <a
              key={path}
              href={linkTo(path)}
              aria-current={page?.path === path ? 'page' : undefined}
              title={`g ${key}`}
            >
              {title}
              {path === 'approvals' && waitingCount.value > 0 && <span class="count">{waitingCount.value}</span>}
            </a>
          ))}
        </nav>
        <div class="foot">
          <ThemeButton />
          <button type="button" class="plain" onClick={() => (help.value = true)}>
            Keys: press ?
          </button>
          {!who?.open && (
            <Action kind="plain" run={() => signOut()}>
              Sign out <bdi>{who?.name ?? who?.principal}</bdi>
            </Action>
          )}
          {who?.version !== undefined && <span class="quiet">Version {who.version}</span>}
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {lostSince.value !== undefined && (
          <p class="banner" role="alert">
            The gateway stopped answering <Ago at={lostSince.value} />. What you see may be old. This page keeps trying.
          </p>
        )}
        {page ? <Shown key={page.path} page={page} rest={rest} /> : <NotFound hidden={hidden} />}
      </main>
      {help.value && <KeyHelp pages={pages} close={() => (help.value = false)} />}
      <Dialogs />
      <Notices />
    </div>
  );
}

const loaded = new Map<string, ComponentType<PageProps>>();

function load({ path, load: fetch }: PageEntry): ComponentType<PageProps> {
  const Component = lazy(() =>
    fetch().catch((error: unknown) => {
      // The next visit tries again. Until then a page that throws leads to the error boundary: lazy would wait for ever.
      loaded.delete(path);
      return {
        default: () => {
          throw error;
        },
      };
    }),
  );
  loaded.set(path, Component);
  return Component;
}

function Shown({ page, rest }: { page: PageEntry; rest: readonly string[] }) {
  const Component = loaded.get(page.path) ?? load(page);
  const [error, again] = useErrorBoundary();
  if (error) return <Broken error={error as Error} again={again} />;
  return (
    <ErrorBoundary>
      <Component rest={rest} />
    </ErrorBoundary>
  );
}

/** A page that fails takes nothing else down. Scripts are missing while the gateway restarts, and after an update. */
function Broken({ error, again }: { error: Error; again: () => void }) {
  const isMissing = /import|module/i.test(error.message);
  return (
    <section class="page">
      <h1>{isMissing ? 'This page could not be loaded' : 'This page failed'}</h1>
      <p>{isMissing ? 'Sluice did not answer, or was updated.' : error.message}</p>
      <p class="row">
        <button type="button" class="main" onClick={again}>
          Try again
        </button>
        {isMissing && (
          <button type="button" onClick={() => location.reload()}>
            Load the console anew
          </button>
        )}
      </p>
    </section>
  );
}

function NotFound({ hidden }: { hidden: PageEntry | undefined }) {
  if (hidden && !may(hidden.scope)) {
    return (
      <Page title={`You may not see ${hidden.title}`}>
        <p>
          Your key lacks the scope <code>{hidden.scope}</code>. Sign in with a key that has it.
        </p>
      </Page>
    );
  }
  if (hidden) {
    return (
      <Page title={`${hidden.title} is switched off`}>
        <p>The configuration of this gateway does not serve it.</p>
      </Page>
    );
  }
  return (
    <Page title="There is no such page">
      <p>
        The pages are in the menu. <a href={linkTo('')}>Go to the overview</a>.
      </p>
    </Page>
  );
}

/** The parts of the path after `/console`. */
function segmentsOf(path: string): string[] {
  const inside = path.startsWith(base) ? path.slice(base.length) : path;
  const [first, ...others] = inside.split('/').filter((one) => one !== '');
  return first === 'console' ? others.map(decoded) : [];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
