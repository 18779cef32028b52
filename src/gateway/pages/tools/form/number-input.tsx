import { useSignal } from '@preact/signals';
import { brief } from '../schema/json.ts';
import type { Of } from './input.ts';
import { hintOf } from './hint.ts';

const numeral = /^\s*-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** What somebody typed is kept as it is: while they type "1.0", the number is 1. */
export function NumberInput({ id, name, hint, shape, value, onChange }: Of<'number'>) {
  const typed = useSignal(textOf(value));
  const text = valueOf(typed.value) === value ? typed.value : textOf(value);
  const problem = problemOf(value, shape.integer);
  return (
    <>
      <input
        id={id}
        aria-label={name}
        aria-describedby={hint}
        aria-invalid={problem !== undefined}
        type="text"
        inputMode={shape.integer ? 'numeric' : 'decimal'}
        autocomplete="off"
        placeholder={hintOf(shape)}
        value={text}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          onChange(valueOf(typed.value));
        }}
      />
      {problem !== undefined && <small class="warn">{problem}</small>}
    </>
  );
}

const textOf = (value: unknown): string => (value === undefined ? '' : brief(value));

function valueOf(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return numeral.test(text) && Number.isFinite(number) ? number : text;
}

function problemOf(value: unknown, integer: boolean): string | undefined {
  if (typeof value === 'string') return 'This is not a number. It would be sent as text.';
  if (typeof value !== 'number') return undefined;
  if (integer && !Number.isInteger(value)) return 'This is not a whole number.';
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value)
    ? `A browser cannot hold it exactly: it would be sent as ${value}.`
    : undefined;
}
