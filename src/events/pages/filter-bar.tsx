import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Query } from '../../console/client/data.ts';
import { keyNames } from '../../console/client/key-names.ts';
import { Choice, Search } from '../../console/client/ui/fields.tsx';
import { countSet, noFilters } from './filters.ts';
import { knownTypes } from './sentence.ts';

interface FilterBarProps {
  readonly query: Query;
  readonly change: (change: Query, push?: boolean) => void;
}

const more = ['tool', 'principal', 'source', 'trace', 'until', 'audit'];
const all = [...more, 'type', 'status', 'text', 'since'];

const statuses = [
  ['', 'Any'],
  ['success', 'Success'],
  ['failure', 'Failure'],
  ['pending', 'Pending'],
] as const;

const periods = [
  ['', 'Any time'],
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
] as const;

/** What is shown. All of it stands in the URL. */
export function FilterBar({ query, change }: FilterBarProps) {
  const among = (name: string, options: readonly (readonly [string, string])[]) => {
    const value = query[name] ?? '';
    return options.some(([one]) => one === value) ? options : [...options, [value, value] as const];
  };
  const hidden = countSet(query, more);
  return (
    <search class="filters">
      <div class="bar">
        <Search label="Search in events" value={query.text ?? ''} pauseMs={350} onSearch={(text) => change({ text })} />
        <Typed label="Type" name="type" query={query} change={change} list="event-types" />
        <datalist id="event-types">
          {typeSuggestions().map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <Choice
          label="Status"
          value={query.status ?? ''}
          options={among('status', statuses)}
          onChoose={(status) => change({ status })}
        />
        <Choice
          label="Since"
          value={query.since ?? ''}
          options={among('since', periods)}
          onChoose={(since) => change({ since })}
        />
        {countSet(query, all) > 0 && (
          <button type="button" class="plain" onClick={() => change(noFilters)}>
            Clear
          </button>
        )}
      </div>
      <details open={hidden > 0}>
        <summary>More filters{hidden > 0 && ` (${hidden})`}</summary>
        <div class="bar">
          <Typed label="Tool" name="tool" query={query} change={change} />
          <Typed label="Caller" name="principal" query={query} change={change} list="callers" />
          <datalist id="callers">
            {[...keyNames.value].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </datalist>
          <Typed label="Server or other source" name="source" query={query} change={change} />
          <Typed label="Trace" name="trace" query={query} change={change} />
          <Typed label="Until" name="until" query={query} change={change} hint="15m, 2h, or a time" />
          <label class="tick">
            <input
              type="checkbox"
              checked={query.audit === 'true'}
              onChange={(event) => change({ audit: event.currentTarget.checked ? 'true' : undefined })}
            />{' '}
            Only who changed what
          </label>
        </div>
      </details>
    </search>
  );
}

interface TypedProps extends FilterBarProps {
  readonly label: string;
  readonly name: string;
  readonly list?: string;
  readonly hint?: string;
}

/** A filter that counts when somebody leaves the field or presses Enter: half a name finds nothing. */
function Typed({ label, name, query, change, list, hint }: TypedProps) {
  const value = query[name] ?? '';
  const text = useSignal(value);
  useEffect(() => {
    text.value = value;
  }, [value]);
  const commit = () => {
    if (text.value.trim() !== value) change({ [name]: text.value.trim() });
  };
  return (
    <label class="choice">
      <span>{label}</span>
      <input
        type="text"
        list={list}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onChange={commit}
      />
    </label>
  );
}

/** Whole kinds first. */
function typeSuggestions(): string[] {
  const types = knownTypes();
  const kinds = new Set(types.map((type) => `${type.split('.')[0]}.*`));
  return [...kinds, ...types];
}
