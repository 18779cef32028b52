import { useSignal } from '@preact/signals';
import type { Of } from './input.ts';
import { hintOf } from './hint.ts';

/** A line of text; more lines when somebody needs them. */
export function TextInput({ id, name, hint, shape, value, onChange, required }: Of<'text'>) {
  const text = typeof value === 'string' ? value : '';
  const tall = useSignal(text.includes('\n'));
  const given = {
    id,
    'aria-label': name,
    'aria-describedby': hint,
    placeholder: hintOf(shape),
    spellcheck: false,
    autocomplete: 'off',
    value: text,
  } as const;
  const change = (next: string) => onChange(next === '' && !required && value === undefined ? undefined : next);
  if (tall.value || text.includes('\n'))
    return (
      <textarea
        {...given}
        rows={Math.min(12, text.split('\n', 12).length + 1)}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <span class="line grows">
      <input
        {...given}
        type="text"
        onInput={(event) => change(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text') ?? '';
          if (!pasted.includes('\n')) return;
          // An input would drop the line breaks.
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          change(text.slice(0, selectionStart ?? 0) + pasted + text.slice(selectionEnd ?? 0));
        }}
      />
      <button
        type="button"
        class="plain"
        aria-label="More lines"
        title="More lines"
        onClick={() => (tall.value = true)}
      >
        ↵
      </button>
    </span>
  );
}
