import { argumentCheck } from '../../kernel/argument-check.ts';
import type { Json } from '../../kernel/source.ts';

/**
 * Many AI tools take one argument, by a name that nobody guesses: the calculator's is `input`. n8n drops arguments that it
 * does not know, so the tool would run without any: a sole argument of another name is meant for it.
 */
export function soleArgument(schema: Json): ((given: Json) => Json) | undefined {
  const { properties, additionalProperties } = schema as { properties?: Json; additionalProperties?: unknown };
  const [name, ...others] = Object.keys(properties ?? {});
  // n8n says `true` of tools that drop all others. A schema for the others means that the tool takes them.
  if (name === undefined || others.length > 0 || typeof additionalProperties === 'object') return undefined;
  const check = argumentCheck(schema);
  return (given) => {
    const [key, ...more] = Object.keys(given);
    if (key === undefined || more.length > 0 || key === name) return given;
    const meant = { [name]: given[key] };
    try {
      check(name, meant);
    } catch {
      return given;
    }
    return meant;
  };
}
