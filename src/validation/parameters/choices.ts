import type { Choice, Property } from '../../nodes/description.ts';
import type { NodeView } from '../subject/subject.ts';
import { isExpression, isOpenList } from './checked-fields.ts';

/** What n8n itself puts into every list of operations of a node that has credentials. */
export const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** What decides about other parameters is wrong, or open until the run: which of those count cannot be told. */
export function isUndecided(node: NodeView): boolean {
  return node.fields().some(({ path, given, property, value }) => {
    if (path.length !== 1 || !given || property.type !== 'options' || isOpenList(property)) return false;
    // Elsewhere an expression shows all that may count.
    if (isExpression(value)) return property.noDataExpression === true;
    const choices = choicesOf(property);
    return value !== '' && value !== null && choices.length > 0 && !choices.some((choice) => choice.value === value);
  });
}

export function choicesOf({ options }: Property): readonly Choice[] {
  return (options ?? []).filter((option): option is Choice => 'value' in option);
}
