import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Field } from '../../console/client/ui/fields.tsx';
import { choicesOf, defaultText, kindOf, type Typed } from './inputs.ts';
import type { Input } from './shapes.ts';
import { ValueForm } from './value-form.tsx';

interface Props {
  readonly inputs: readonly Input[];
  readonly typed: Typed;
  readonly problems: ReadonlyMap<string, string>;
  readonly onType: (name: string, text: string) => void;
}

/** Inputs as a form. */
export function InputFields({ inputs, typed, problems, onType }: Props) {
  return (
    <>
      {inputs.map((input) => {
        const text = Object.hasOwn(typed, input.name) ? (typed[input.name] ?? '') : defaultText(input);
        const props = { input, text, problem: problems.get(input.name) };
        const type = (next: string) => onType(input.name, next);
        return kindOf(input) === 'form' ? (
          <Parts key={input.name} {...props} onType={type} />
        ) : (
          <Field key={input.name} label={<Label input={input} />} hint={hintOf(input)} problem={props.problem}>
            <Control {...props} onType={type} />
          </Field>
        );
      })}
    </>
  );
}

interface InputProps {
  readonly input: Input;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onType: (text: string) => void;
}

/** An input with parts. Each part has a label of its own. */
function Parts({ input, text, problem, onType }: InputProps) {
  const id = useId();
  const { name, schema, required } = input;
  return (
    <div class="field try" role="group" aria-label={name} aria-describedby={`${id}-hint`}>
      <span>
        <Label input={input} />
      </span>
      <small class="quiet" id={`${id}-hint`}>
        {hintOf(input)}
      </small>
      <ValueForm id={id} label={name} schema={schema} required={required} text={text} onType={onType} />
      {problem !== undefined && (
        <small class="warn" role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}

const Label = ({ input: { name, required } }: { input: Input }) => (
  <>
    <bdi>{name}</bdi>
    {!required && <span class="quiet"> (optional)</span>}
  </>
);

function hintOf({ schema, secret, required }: Input): ComponentChildren {
  const words = typeof schema.description === 'string' ? schema.description : '';
  const kind = kindOf({ schema, secret });
  const how = kind === 'texts' ? 'One a line.' : kind === 'json' ? 'As JSON.' : '';
  const hidden = secret ? `Nobody sees it later.${required ? '' : ' Empty: the default.'}` : '';
  const all = [words, how, hidden].filter(Boolean).join(' ');
  return all === '' ? undefined : <bdi>{all}</bdi>;
}

function Control({ input, text, onType }: Omit<InputProps, 'problem'>) {
  const kind = kindOf(input);
  const typing = {
    value: text,
    spellcheck: false,
    autocomplete: 'off' as const,
    onInput: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
  };
  switch (kind) {
    case 'choice':
    case 'yes-no':
      return (
        <select value={text} onChange={(event) => onType(event.currentTarget.value)}>
          <option value="">{input.required ? 'Choose …' : 'The default'}</option>
          {(kind === 'choice' ? choicesOf(input.schema) : ['true', 'false']).map((one) => (
            <option key={one} value={one}>
              {kind === 'choice' ? one : one === 'true' ? 'yes' : 'no'}
            </option>
          ))}
        </select>
      );
    case 'secret':
      return <input type="password" {...typing} autocomplete="new-password" />;
    case 'number':
    case 'integer':
      return <input inputMode="decimal" {...typing} />;
    case 'long':
    case 'texts':
    case 'json':
      return <textarea rows={kind === 'json' ? 4 : 3} {...typing} />;
    default:
      return <input {...typing} />;
  }
}
