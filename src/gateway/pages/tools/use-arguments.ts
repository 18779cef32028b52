import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { initial } from './schema/blank.ts';
import { isObject, type Json } from './schema/json.ts';
import { shapesIn } from './schema/shape.ts';
import { brokenText } from './schema/where.ts';

/** The arguments as the form and the JSON beside it show them: both write the same value. */
export function useArguments(schema: Json) {
  const shapeOf = useMemo(() => shapesIn(schema), [schema]);
  const begun = useMemo(() => {
    const start = initial(shapeOf, schema);
    return isObject(start) ? start : {};
  }, [shapeOf]);
  const args = useSignal<Json>(begun);
  const text = useSignal(pretty(begun));
  const problem = useSignal<string | undefined>(undefined);

  const set = (next: Json) => {
    args.value = next;
    text.value = pretty(next);
    problem.value = undefined;
  };
  const setText = (next: string) => {
    text.value = next;
    try {
      const value: unknown = next.trim() === '' ? {} : JSON.parse(next);
      if (isObject(value)) {
        args.value = value;
        problem.value = undefined;
      } else problem.value = 'The arguments are an object: { … }.';
    } catch {
      problem.value = brokenText(next) ?? 'This is not JSON.';
    }
  };
  return { shapeOf, args: args.value, text: text.value, problem: problem.value, set, setText, reset: () => set(begun) };
}

const pretty = (value: Json): string => JSON.stringify(value, null, 2);
