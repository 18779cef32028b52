import type { LikelyFix } from '../finding.ts';
import type { NodeView } from '../subject/subject.ts';
import { isExpression, isOpenList } from './checked-fields.ts';
import { choicesOf, CUSTOM_API_CALL } from './choices.ts';

export interface Wrong {
  readonly value: string;
  readonly values: readonly string[];
  readonly pointer: string;
}

/** A top-level value that no visible field of this name offers. */
export function wrongChoice(node: NodeView, name: string): Wrong | undefined {
  const value = Object.hasOwn(node.parameters, name) ? node.parameters[name] : undefined;
  if (typeof value !== 'string' || value === '' || value === CUSTOM_API_CALL || isExpression(value)) return undefined;
  const fields = node.fields().filter(({ path, property }) => path.length === 1 && property.name === name);
  if (fields.length === 0 || fields.some(({ property }) => property.type !== 'options' || isOpenList(property)))
    return undefined;
  const values = fields.flatMap(({ property }) => choicesOf(property).map((choice) => String(choice.value)));
  if (values.length === 0 || values.includes(value)) return undefined;
  const offered = [...new Set(values)].filter((one) => one !== CUSTOM_API_CALL);
  return { value, values: offered, pointer: (fields[0] as { pointer: string }).pointer };
}

export function choosing(path: string, value: string): LikelyFix {
  return {
    description: `Set it to "${value}".`,
    safe: false,
    changes: `The node does "${value}". Now it does nothing, or fails.`,
    patch: [{ op: 'replace', path, value }],
  };
}
