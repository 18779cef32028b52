import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { brokenText } from '../schema/where.ts';
import type { InputProps } from './input.ts';
import { hintOf } from './hint.ts';

/** Any value, as JSON. What is not JSON is sent as text, as `sluice call` does. */
export function JsonInput({ id, name, hint, shape, value, onChange, note }: InputProps & { note?: string }) {
  const text = useSignal(textOf(value));
  const own = useRef(value);
  if (own.current !== value) {
    own.current = value;
    text.value = textOf(value);
  }
  const problem = text.value.trim() === '' ? undefined : brokenText(text.value);
  const looksLikeJson = /^\s*[[{"]/.test(text.value);
  return (
    <>
      <textarea
        id={id}
        aria-label={name}
        aria-describedby={hint}
        rows={Math.min(12, text.value.split('\n', 12).length + 1)}
        placeholder={hintOf(shape) || 'JSON'}
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          own.current = valueOf(text.value);
          onChange(own.current);
        }}
      />
      {note !== undefined && <small class="warn">{note}</small>}
      {problem !== undefined && (
        <small class={looksLikeJson ? 'warn' : 'quiet'}>
          {looksLikeJson ? `${problem} Until then it would be sent as text.` : 'It is sent as text.'}
        </small>
      )}
    </>
  );
}

const textOf = (value: unknown): string => (value === undefined ? '' : (JSON.stringify(value, null, 2) ?? ''));

function valueOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
