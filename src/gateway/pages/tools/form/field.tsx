import { useId } from 'preact/hooks';
import { brief } from '../schema/json.ts';
import type { Schema, Shape, ShapeOf } from '../schema/shape.ts';
import { Body } from './body.tsx';
import { Folded } from './folded.tsx';
import { hintOf } from './hint.ts';
import { Prose } from './prose.tsx';

interface FieldProps {
  readonly shapeOf: ShapeOf;
  readonly schema: Schema;
  /** Its name, or its number in a list. */
  readonly label: string;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly level: number;
  /** Takes it out of its list. */
  readonly remove?: () => void;
}

/** Deeper fields are closed until somebody opens them. */
const DEEPEST_OPEN = 3;

const words: Readonly<Record<Shape['kind'], string>> = {
  text: 'text',
  number: 'number',
  boolean: 'yes or no',
  null: 'null',
  enum: '',
  list: 'list',
  object: 'object',
  choice: 'one of several forms',
  json: 'any JSON',
  never: 'not allowed',
};

/** One property or item: its name, what is known about it, and the input for its kind. */
export function Field({ shapeOf, schema, label, required, value, onChange, level, remove }: FieldProps) {
  const shape = shapeOf(schema);
  const id = useId();
  const isLeaf = !['list', 'object', 'choice'].includes(shape.kind);
  const inside = { shapeOf, schema, shape, id, hint: `${id}-hint`, label, required, value, onChange, level };
  const head = <Head label={label} shape={shape} required={required} />;
  const actions = (
    <span class="small">
      {shape.nullable && value !== null && (
        <button type="button" class="plain" onClick={() => onChange(null)} aria-label={`Set to null: ${label}`}>
          Set to null
        </button>
      )}
      {remove ? (
        <button type="button" class="plain" onClick={remove} aria-label={`Remove ${label}`}>
          Remove
        </button>
      ) : (
        !required &&
        value !== undefined && (
          <button type="button" class="plain" onClick={() => onChange(undefined)} aria-label={`Leave out ${label}`}>
            Leave out
          </button>
        )
      )}
    </span>
  );
  const about = (
    <div class="about" id={`${id}-hint`}>
      {shape.description !== undefined && <Prose text={shape.description} />}
      {shape.kind === 'json' && shape.why !== undefined && <p>Given as JSON, because {shape.why}.</p>}
    </div>
  );
  if (isLeaf || value === null) {
    return (
      <div class="param leaf">
        <label for={id}>{head}</label>
        <div class="input">
          <Body {...inside} />
        </div>
        {actions}
        {about}
      </div>
    );
  }
  return (
    <div class="param" role="group" aria-label={label}>
      <Folded summary={head} open={level < DEEPEST_OPEN && (required || value !== undefined)}>
        {() => (
          <>
            {about}
            <Body {...inside} />
            <div class="line">{actions}</div>
          </>
        )}
      </Folded>
    </div>
  );
}

function Head({ label, shape, required }: { label: string; shape: Shape; required: boolean }) {
  const kind = shape.kind === 'number' && shape.integer ? 'whole number' : words[shape.kind];
  const facts = [
    required ? 'required' : '',
    kind,
    shape.nullable ? 'or null' : '',
    ...shape.limits,
    // Other inputs show it while they are empty.
    ['list', 'object', 'choice'].includes(shape.kind) ? hintOf(shape) : '',
  ].filter((one) => one !== '');
  return (
    <span class="head-line">
      <code>
        <bdi>{label === '' ? '(no name)' : brief(label, 200)}</bdi>
      </code>
      {shape.title !== undefined && shape.title !== label && (
        <b>
          <bdi>{brief(shape.title, 200)}</bdi>
        </b>
      )}
      <span class="quiet">
        <bdi>{facts.join(' · ')}</bdi>
      </span>
    </span>
  );
}
