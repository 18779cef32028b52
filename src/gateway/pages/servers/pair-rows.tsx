import type { Pair } from './entry.ts';

interface PairRowsProps {
  /** What one of them is called. */
  readonly what: string;
  readonly hint: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Names and values. Values may be secrets, so they are not shown. */
export function PairRows({ what, hint, pairs, onChange }: PairRowsProps) {
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)));
  return (
    <fieldset class="server-pairs">
      <legend>{what}s</legend>
      <small class="quiet">{hint}</small>
      {pairs.map(({ name, value }, index) => (
        <div key={index}>
          <input
            aria-label={`${what} ${index + 1}: name`}
            placeholder="Name"
            spellcheck={false}
            autocomplete="off"
            value={name}
            onInput={(event) => set(index, { name: event.currentTarget.value })}
          />
          <input
            type="password"
            aria-label={`${what} ${index + 1}: value`}
            placeholder="Value"
            autocomplete="off"
            value={value}
            onInput={(event) => set(index, { value: event.currentTarget.value })}
          />
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${what.toLowerCase()} ${index + 1}`}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" class="plain" onClick={() => onChange([...pairs, { name: '', value: '' }])}>
        Add a {what.toLowerCase()}
      </button>
    </fieldset>
  );
}
