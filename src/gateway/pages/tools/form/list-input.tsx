import { useSignal } from '@preact/signals';
import { blank } from '../schema/blank.ts';
import { Field } from './field.tsx';
import type { Of } from './input.ts';

const MOST_SHOWN = 50;

/** Items to add and remove. The first ones may each have a kind of their own. */
export function ListInput({ shapeOf, shape, label, value, onChange, level }: Of<'list'>) {
  const most = useSignal(MOST_SHOWN);
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const { first } = shape;
  const schemaAt = (at: number) => (at < first.length ? first[at] : shape.items === false ? true : shape.items);
  const change = (at: number, next: unknown) => {
    const all = [...items];
    // What comes before it in a tuple must be there.
    while (all.length < at) all.push(blank(shapeOf, schemaAt(all.length)));
    all[at] = next === undefined ? blank(shapeOf, schemaAt(at)) : next;
    onChange(all);
  };
  const count = Math.max(items.length, first.length);
  const mayAdd = shape.items !== false && items.length < shape.most;
  return (
    <div class="items">
      {Array.from({ length: Math.min(count, most.value) }, (_, at) => (
        <Field
          key={at}
          shapeOf={shapeOf}
          schema={schemaAt(at)}
          label={`${label} ${at + 1}`}
          required={at < first.length}
          value={items[at]}
          onChange={(next) => change(at, next)}
          level={level + 1}
          {...(at >= first.length && { remove: () => onChange(items.toSpliced(at, 1)) })}
        />
      ))}
      {count > most.value && (
        <button type="button" class="plain" onClick={() => (most.value *= 4)}>
          Show more of {count} items
        </button>
      )}
      {mayAdd && (
        <button
          type="button"
          class="plain"
          aria-label={`Add an item to ${label}`}
          onClick={() => change(count, blank(shapeOf, schemaAt(count)))}
        >
          Add an item
        </button>
      )}
      {value === undefined && count === 0 && (
        <button type="button" class="plain" onClick={() => onChange([])}>
          Send an empty list
        </button>
      )}
    </div>
  );
}
