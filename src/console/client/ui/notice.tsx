import { signal } from '@preact/signals';

interface Said {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
}

const shown = signal<readonly Said[]>([]);
let last = 0;

const SHOWN_MS = 6000;
const MOST = 4;

/** Says what came of something, in a corner of the page. A problem stays until somebody closes it. */
export function say(text: string, isProblem = false): void {
  const id = ++last;
  shown.value = [...shown.value, { id, text, isProblem }].slice(-MOST);
  if (!isProblem) setTimeout(() => close(id), SHOWN_MS);
}

const close = (id: number): void => {
  shown.value = shown.value.filter((one) => one.id !== id);
};

/** Where it appears; the frame has it once. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.value.map(({ id, text, isProblem }) => (
        <p key={id} class={isProblem ? 'bad' : ''}>
          <bdi>{text}</bdi>
          <button type="button" class="plain" onClick={() => close(id)}>
            Close
          </button>
        </p>
      ))}
    </div>
  );
}
