import { useSignal } from '@preact/signals';
import { brief, isSame } from '../schema/json.ts';
import type { Of } from './input.ts';
import { hintOf } from './hint.ts';

const MOST_LISTED = 100;

/** One of several values; very many are searched. */
export function EnumInput(props: Of<'enum'>) {
  const { id, name, hint, shape, value, onChange } = props;
  if (shape.values.length > MOST_LISTED) return <Searched {...props} />;
  const at = value === undefined ? -1 : shape.values.findIndex((one) => isSame(one, value));
  const isOther = value !== undefined && at === -1;
  return (
    <select
      id={id}
      aria-label={name}
      aria-describedby={hint}
      value={String(at)}
      onChange={(event) => onChange(shape.values[Number(event.currentTarget.value)])}
    >
      <option value="-1">{isOther ? `${brief(value)} (not a choice)` : hintOf(shape) || 'not given'}</option>
      {shape.values.map((_one, index) => (
        <option key={index} value={String(index)}>
          {brief(shape.titles[index])}
        </option>
      ))}
    </select>
  );
}

/** The browser's own list of suggestions, of which only the first that fit are in the page. */
function Searched({ id, name, hint, shape, value, onChange }: Of<'enum'>) {
  const typed = useSignal<string | undefined>(undefined);
  const at = value === undefined ? -1 : shape.values.findIndex((one) => isSame(one, value));
  const shown = at === -1 ? (value === undefined ? '' : brief(value)) : (shape.titles[at] ?? '');
  const text = typed.value ?? shown;
  const wanted = text.toLowerCase();
  const fitting: string[] = [];
  for (const title of shape.titles) {
    if (title.toLowerCase().includes(wanted)) fitting.push(title);
    if (fitting.length === MOST_LISTED) break;
  }
  const change = (next: string) => {
    typed.value = next;
    const index = shape.titles.indexOf(next);
    onChange(next === '' ? undefined : index === -1 ? next : shape.values[index]);
  };
  return (
    <>
      <input
        id={id}
        aria-label={name}
        aria-describedby={hint}
        type="text"
        list={`${id}-list`}
        autocomplete="off"
        placeholder={hintOf(shape) || `Search ${shape.values.length.toLocaleString('en')} choices`}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onBlur={() => (typed.value = undefined)}
      />
      <datalist id={`${id}-list`}>
        {fitting.map((title) => (
          <option key={title} value={title} />
        ))}
      </datalist>
      {value !== undefined && at === -1 && <small class="warn">This is none of the choices.</small>}
    </>
  );
}
