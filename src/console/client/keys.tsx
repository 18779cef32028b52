import { useEffect } from 'preact/hooks';
import type { PageEntry } from './pages.ts';
import { Modal } from './ui/dialog.tsx';

const SECOND_KEY_MS = 1500;

/** `g` and a letter open a page, `/` goes to the search field, `?` explains. Nothing while somebody types. */
export function useKeys(pages: readonly PageEntry[], go: (path: string) => void, help: () => void): void {
  useEffect(() => {
    let prefixed = 0;
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const isSecond = event.timeStamp - prefixed < SECOND_KEY_MS && prefixed > 0;
      prefixed = 0;
      if (isSecond) {
        const page = pages.find(({ key }) => key === event.key);
        if (!page) return;
        event.preventDefault();
        go(page.path);
      } else if (event.key === 'g') prefixed = event.timeStamp;
      else if (event.key === '?') help();
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
  }, [pages, go, help]);
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
