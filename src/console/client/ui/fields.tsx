import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Failed } from '../api.ts';
import { say } from './notice.tsx';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** A labelled input. */
export function Field({ label, hint, problem, children }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small class="quiet">{hint}</small>}
      {problem !== undefined && (
        <small class="warn" role="alert">
          {problem}
        </small>
      )}
    </label>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** How long after the last key; 0 for lists that are here already. */
  readonly pauseMs?: number;
}

/** The search field of a page, which `/` reaches. */
export function Search({ label, value, onSearch, pauseMs = 150 }: SearchProps) {
  const text = useSignal(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // While somebody types, `value` lags behind what they typed.
    if (document.activeElement !== field.current) text.value = value;
  }, [value]);
  useEffect(() => {
    if (text.value === value) return undefined;
    const timer = setTimeout(() => onSearch(text.value), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value, value]);
  return (
    <input
      ref={field}
      type="search"
      class="search"
      aria-label={label}
      placeholder={`${label}  /`}
      spellcheck={false}
      autocomplete="off"
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, words: string])[];
  readonly onChoose: (value: T) => void;
}

/** One of a few. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [id: string, words: ComponentChildren])[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Views of the same thing. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  return (
    <div class="tabs" role="group" aria-label={label}>
      {tabs.map(([id, words]) => (
        <button key={id} type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
          {words}
        </button>
      ))}
    </div>
  );
}

/** A button that is busy while its work runs, and cannot be pressed twice. What fails is said in a corner of the page. */
export function Action({
  run,
  kind = '',
  disabled = false,
  children,
  title,
}: {
  run: () => Promise<unknown>;
  kind?: 'main' | 'danger' | 'plain' | '';
  disabled?: boolean;
  title?: string;
  children: ComponentChildren;
}) {
  const busy = useSignal(false);
  const press = async () => {
    busy.value = true;
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      say(error.message, true);
    } finally {
      busy.value = false;
    }
  };
  return (
    <button
      type="button"
      class={kind}
      title={title}
      disabled={disabled || busy.value}
      aria-busy={busy.value}
      onClick={() => void press()}
    >
      {children}
    </button>
  );
}
