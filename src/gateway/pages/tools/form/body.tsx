import { isObject } from '../schema/json.ts';
import type { Shape } from '../schema/shape.ts';
import { ChoiceInput } from './choice-input.tsx';
import { EnumInput } from './enum-input.tsx';
import { Folded } from './folded.tsx';
import type { InputProps } from './input.ts';
import { JsonInput } from './json-input.tsx';
import { ListInput } from './list-input.tsx';
import { NumberInput } from './number-input.tsx';
import { ObjectInput } from './object-input.tsx';
import { TextInput } from './text-input.tsx';

/** The input for the kind of a value, or JSON if the value is of another kind. */
export function Body(props: InputProps) {
  const { shape, value, onChange, id } = props;
  if (value === null && (shape.nullable || shape.kind === 'null')) {
    return (
      <div class="line">
        <output id={id}>
          <code>null</code>
        </output>
        {shape.kind !== 'null' && (
          <button type="button" class="plain" onClick={() => onChange(undefined)}>
            Give a value
          </button>
        )}
      </div>
    );
  }
  if (!isOfKind(shape, value))
    return <JsonInput {...props} note={`This is not what the schema says (${shape.kind}).`} />;
  switch (shape.kind) {
    case 'text':
      return <TextInput {...props} shape={shape} />;
    case 'number':
      return <NumberInput {...props} shape={shape} />;
    case 'boolean':
      return (
        <EnumInput {...props} shape={{ ...shape, kind: 'enum', values: [true, false], titles: ['true', 'false'] }} />
      );
    case 'null':
      return <EnumInput {...props} shape={{ ...shape, kind: 'enum', values: [null], titles: ['null'] }} />;
    case 'enum':
      return <EnumInput {...props} shape={shape} />;
    case 'list':
      return <ListInput {...props} shape={shape} />;
    case 'object':
      return <ObjectInput {...props} shape={shape} />;
    case 'choice': {
      const choice = <ChoiceInput {...props} shape={shape} />;
      // A choice may contain itself.
      return props.level < DEEPEST ? (
        choice
      ) : (
        <Folded summary="Deeper" open={false}>
          {() => choice}
        </Folded>
      );
    }
    case 'json':
      return <JsonInput {...props} />;
    case 'never':
      return (
        <output id={id} class="quiet">
          The schema allows no value here.
        </output>
      );
  }
}

const DEEPEST = 5;

function isOfKind({ kind }: Shape, value: unknown): boolean {
  if (value === undefined) return true;
  if (kind === 'text') return typeof value === 'string';
  // Until it is a number, it is what somebody typed.
  if (kind === 'number') return typeof value === 'number' || typeof value === 'string';
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'list') return Array.isArray(value);
  return kind !== 'object' || isObject(value);
}
