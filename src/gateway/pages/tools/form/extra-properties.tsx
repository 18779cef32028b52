import { useSignal } from '@preact/signals';
import { type Json, renamed, withEntry } from '../schema/json.ts';
import type { Schema, ShapeOf } from '../schema/shape.ts';
import { Field } from './field.tsx';

interface ExtraProps {
  readonly shapeOf: ShapeOf;
  readonly schema: Schema;
  /** Names that the schema describes. */
  readonly known: readonly string[];
  readonly value: Json | undefined;
  readonly level: number;
  readonly onChange: (next: Json) => void;
  /** Absent if nothing else is meant to be there. What is there already shows anyway. */
  readonly onAdd: ((name: string) => void) | undefined;
}

const MOST_SHOWN = 50;

/** Properties whose names the caller chooses. */
export function ExtraProperties({ shapeOf, schema, known, value, level, onChange, onAdd }: ExtraProps) {
  const name = useSignal('');
  const taken = new Set([...known, ...Object.keys(value ?? {})]);
  const extra = Object.keys(value ?? {}).filter((one) => !known.includes(one));
  const isTaken = taken.has(name.value);
  const add = () => {
    if (isTaken) return;
    onAdd?.(name.value);
    name.value = '';
  };
  return (
    <>
      {extra.slice(0, MOST_SHOWN).map((one) => (
        <div class="extra" key={`.${one}`}>
          <Field
            shapeOf={shapeOf}
            schema={schema === false ? true : schema}
            label={one}
            required
            value={value?.[one]}
            onChange={(next) => onChange(withEntry(value, one, next ?? ''))}
            level={level + 1}
            remove={() => onChange(withEntry(value, one, undefined))}
          />
          <Rename name={one} taken={taken} rename={(next) => onChange(renamed(value ?? {}, one, next))} />
        </div>
      ))}
      {extra.length > MOST_SHOWN && (
        <p class="quiet">{extra.length - MOST_SHOWN} more are only in the JSON beside the form.</p>
      )}
      {onAdd && (
        <div class="line">
          <input
            type="text"
            aria-label="Name of another property"
            placeholder="another property"
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              add();
            }}
          />
          <button type="button" class="plain" onClick={add} disabled={isTaken}>
            Add a property
          </button>
          {isTaken && name.value !== '' && <small class="warn">It is there already.</small>}
        </div>
      )}
    </>
  );
}

function Rename({ name, taken, rename }: { name: string; taken: ReadonlySet<string>; rename: (next: string) => void }) {
  const open = useSignal(false);
  if (!open.value)
    return (
      <button type="button" class="plain" aria-label={`Rename ${name}`} onClick={() => (open.value = true)}>
        Rename
      </button>
    );
  return (
    <input
      type="text"
      aria-label={`New name of ${name}`}
      value={name}
      onChange={({ currentTarget: { value } }) => {
        open.value = false;
        if (!taken.has(value)) rename(value);
      }}
    />
  );
}
