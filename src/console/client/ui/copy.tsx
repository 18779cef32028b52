import { useSignal } from '@preact/signals';

/** Copies a text. Browsers without a clipboard for pages get it selected instead. */
export function Copy({ text, children = 'Copy' }: { text: string | (() => string); children?: string }) {
  const done = useSignal<string | undefined>(undefined);
  const press = async () => {
    const value = typeof text === 'string' ? text : text();
    try {
      await navigator.clipboard.writeText(value);
      done.value = 'Copied';
    } catch {
      done.value = byHand(value) ? 'Copied' : 'Cannot copy here';
    }
    setTimeout(() => (done.value = undefined), 1500);
  };
  return (
    <button type="button" class="plain" onClick={() => void press()} aria-live="polite">
      {done.value ?? children}
    </button>
  );
}

/** Over plain HTTP, browsers have no navigator.clipboard. */
function byHand(value: string): boolean {
  const field = document.createElement('textarea');
  field.value = value;
  field.className = 'offscreen';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
