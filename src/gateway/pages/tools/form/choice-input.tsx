import { useSignal } from '@preact/signals';
import { brief } from '../schema/json.ts';
import { carried, chosenOption, fit } from '../schema/fits.ts';
import { Body } from './body.tsx';
import type { Of } from './input.ts';

/** One of several forms, and then that form. */
export function ChoiceInput(props: Of<'choice'>) {
  const { shapeOf, shape, id, hint, label, value, onChange, level, required } = props;
  const picked = useSignal<number | undefined>(undefined);
  const wanted = picked.value === undefined ? undefined : shape.options[picked.value];
  // What somebody picked stays, unless the JSON beside it now says something else.
  const isStill = wanted !== undefined && value !== undefined && fit(shapeOf, wanted.schema, value) > 0;
  const at = isStill ? picked.value : chosenOption(shapeOf, shape.options, value);
  const option = at === undefined ? undefined : shape.options[at];
  const inner = option && shapeOf(option.schema);
  return (
    <div class="choice-of">
      <select
        id={id}
        aria-describedby={hint}
        aria-label={`Form of ${label}`}
        value={String(at ?? -1)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          picked.value = next === -1 ? undefined : next;
          const chosen = shape.options[next];
          onChange(chosen && carried(shapeOf, chosen.schema, value));
        }}
      >
        <option value="-1">{value === undefined ? (required ? 'choose a form' : 'not given') : 'none of these'}</option>
        {shape.options.map(({ title }, index) => (
          <option key={index} value={String(index)}>
            {brief(title)}
          </option>
        ))}
      </select>
      {option && inner && (
        <Body
          {...props}
          key={at}
          schema={option.schema}
          shape={inner}
          id={`${id}-${at}`}
          name={label}
          level={level + 1}
        />
      )}
      {option === undefined && value !== undefined && (
        <Body {...props} shape={{ ...shape, kind: 'json' }} id={`${id}-json`} name={label} />
      )}
    </div>
  );
}
