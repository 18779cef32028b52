import { useSignal } from '@preact/signals';

const LONG = 400;

/** A text from a server, with its line breaks; a long one is cut until somebody wants all of it. */
export function Prose({ text, longest = LONG }: { text: string; longest?: number }) {
  const whole = useSignal(false);
  const isCut = !whole.value && text.length > longest;
  return (
    <p class="prose">
      <bdi>{isCut ? `${text.slice(0, longest)}…` : text}</bdi>
      {isCut && (
        <button type="button" class="plain" onClick={() => (whole.value = true)}>
          Show all
        </button>
      )}
    </p>
  );
}
