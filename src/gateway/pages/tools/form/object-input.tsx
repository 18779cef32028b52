import { useSignal } from '@preact/signals';
import { blank, initial } from '../schema/blank.ts';
import { isObject, type Json, own, withEntry } from '../schema/json.ts';
import { ExtraProperties } from './extra-properties.tsx';
import { Field } from './field.tsx';
import type { Of } from './input.ts';

/** More optional properties than these wait behind a button. */
const MOST_OPTIONAL = 15;

/** The properties that the schema describes, and others where it allows them. */
export function ObjectInput({ shapeOf, schema, shape, value, onChange, level }: Of<'object'>) {
  const all = useSignal(false);
  const object = isObject(value) ? value : undefined;
  const begun = (): Json => {
    if (object) return object;
    const start = initial(shapeOf, schema);
    return isObject(start) ? start : {};
  };
  const change = (name: string, next: unknown) => onChange(withEntry(begun(), name, next));
  const { properties } = shape;
  const optional = properties.filter(({ required }) => !required);
  const few = new Set(optional.slice(0, MOST_OPTIONAL));
  const shown =
    all.value || optional.length <= MOST_OPTIONAL
      ? properties
      : properties.filter((one) => one.required || few.has(one) || (object && Object.hasOwn(object, one.name)));
  return (
    <div class="properties">
      {shown.map((one) => (
        <Field
          key={`.${one.name}`}
          shapeOf={shapeOf}
          schema={one.schema}
          label={one.name}
          required={one.required}
          value={object && own(object, one.name)}
          onChange={(next) => change(one.name, next)}
          level={level + 1}
        />
      ))}
      {shown.length < properties.length && (
        <button type="button" class="plain" onClick={() => (all.value = true)}>
          Show {properties.length - shown.length} more optional fields
        </button>
      )}
      <ExtraProperties
        shapeOf={shapeOf}
        schema={shape.extra}
        known={properties.map(({ name }) => name)}
        value={object}
        level={level}
        onChange={onChange}
        onAdd={shape.open ? (name) => change(name, blank(shapeOf, shape.extra)) : undefined}
      />
      {value === undefined && level > 0 && (
        <button type="button" class="plain" onClick={() => onChange(begun())}>
          Send an empty object
        </button>
      )}
    </div>
  );
}
