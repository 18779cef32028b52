import { useEffect, useRef } from 'preact/hooks';
import type { PageEntry } from './pages.ts';
import { Modal } from './ui/dialog.tsx';

const SECOND_KEY_MS = 1500;

/** `g` and a letter open a page, `/` goes to the search field, `?` explains. Nothing while somebody types. */
export function useKeys(pages: readonly PageEntry[], go: (path: string) => void, help: () => void): void {
  const prefixed = useRef(0);
  const latest = useRef({ pages, go, help });
  latest.current = { pages, go, help };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const isSecond = prefixed.current > 0 && event.timeStamp - prefixed.current < SECOND_KEY_MS;
      prefixed.current = 0;
      if (isSecond) {
        const page = latest.current.pages.find(({ key }) => key === event.key);
        if (!page) return;
        event.preventDefault();
        latest.current.go(page.path);
      } else if (event.key === 'g') prefixed.current = event.timeStamp;
      else if (event.key === '?') latest.current.help();
      else if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('input[type=search]');
        if (!field) return;
        event.preventDefault();
        field.focus();
        field.select();
      }
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function KeyHelp({ pages, close }: { pages: readonly PageEntry[]; close: () => void }) {
  return (
    <Modal title="Keys" close={close}>
      <dl class="pairs">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search on this page</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close what is open</dd>
        {pages.map(({ path, title, key }) => [
          <dt key={`${path} key`}>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>,
          <dd key={path}>{title}</dd>,
        ])}
      </dl>
    </Modal>
  );
}
