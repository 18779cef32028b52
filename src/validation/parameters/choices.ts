import type { Choice, Property } from '../../nodes/description.ts';
import type { NodeView } from '../subject/subject.ts';
import { isExpression, isOpenList } from './checked-fields.ts';

/** n8n adds this to the operations of every node with credentials. */
export const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** A field that other parameters depend on is wrong, or an expression: it is unknown which parameters are used. */
export function isUndecided(node: NodeView): boolean {
  return node.fields().some(({ path, given, property, value }) => {
    if (path.length !== 1 || !given || property.type !== 'options' || isOpenList(property)) return false;
    // For other fields, an expression makes every dependent parameter visible.
    if (isExpression(value)) return property.noDataExpression === true;
    const choices = choicesOf(property);
    return value !== '' && value !== null && choices.length > 0 && !choices.some((choice) => choice.value === value);
  });
}

export function choicesOf({ options }: Property): readonly Choice[] {
  return (options ?? []).filter((option): option is Choice => 'value' in option);
}
