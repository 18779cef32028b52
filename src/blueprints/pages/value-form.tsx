import { useMemo } from 'preact/hooks';
import { Body } from '../../gateway/pages/tools/form/body.tsx';
import { shapesIn } from '../../gateway/pages/tools/schema/shape.ts';
import type { Schema } from './shapes.ts';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** The value as JSON; empty if there is none. */
  readonly text: string;
  readonly onType: (text: string) => void;
}

/** A form for a value that has parts. */
export function ValueForm({ id, label, schema, required, text, onType }: Props) {
  const shapeOf = useMemo(() => shapesIn(schema), [schema]);
  return (
    <Body
      shapeOf={shapeOf}
      schema={schema}
      shape={shapeOf(schema)}
      id={id}
      hint={`${id}-hint`}
      label={label}
      name={label}
      required={required}
      value={text === '' ? undefined : (JSON.parse(text) as unknown)}
      level={0}
      onChange={(next) => onType(next === undefined ? '' : JSON.stringify(next))}
    />
  );
}
