import type { ComponentChildren } from 'preact';
import { Field } from '../../console/client/ui/fields.tsx';
import { choicesOf, defaultText, kindOf, type Typed } from './inputs.ts';
import type { Input } from './shapes.ts';

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
        return (
          <Field
            key={input.name}
            label={
              <>
                <bdi>{input.name}</bdi>
                {!input.required && <span class="quiet"> (optional)</span>}
              </>
            }
            hint={hintOf(input)}
            problem={problems.get(input.name)}
          >
            <Control input={input} text={text} onType={(next) => onType(input.name, next)} />
          </Field>
        );
      })}
    </>
  );
}

function hintOf({ schema, secret, required }: Input): ComponentChildren {
  const words = typeof schema.description === 'string' ? schema.description : '';
  const kind = kindOf({ schema, secret });
  const how = kind === 'texts' ? 'One a line.' : kind === 'json' ? 'As JSON.' : '';
  const hidden = secret ? `Nobody sees it later.${required ? '' : ' Empty: the default.'}` : '';
  const all = [words, how, hidden].filter(Boolean).join(' ');
  return all === '' ? undefined : <bdi>{all}</bdi>;
}

function Control({ input, text, onType }: { input: Input; text: string; onType: (text: string) => void }) {
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
