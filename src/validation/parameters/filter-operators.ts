/** The operations of filter conditions by type. Those in `alone` take no second value. */
const alone = ['exists', 'notExists', 'empty', 'notEmpty'];
const equality = ['equals', 'notEquals'];
const contents = ['contains', 'notContains'];

export const operations: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', [...alone, ...equality, ...contents, ...bothWays('startsWith', 'endsWith', 'regex')]],
  ['number', [...alone, ...equality, 'gt', 'lt', 'gte', 'lte']],
  ['dateTime', [...alone, ...equality, 'after', 'before', 'afterOrEquals', 'beforeOrEquals']],
  ['boolean', [...alone, 'true', 'false', ...equality]],
  [
    'array',
    [...alone, ...contents, ...['Equals', 'NotEquals', 'Gt', 'Lt', 'Gte', 'Lte'].map((name) => `length${name}`)],
  ],
  ['object', alone],
  // The editor does not show this type, but nodes use it to check presence.
  ['any', ['exists', 'notExists']],
]);

export function takesOneValue(operation: string): boolean {
  return alone.includes(operation) || operation === 'true' || operation === 'false';
}

/** The `rightType` that an array operation needs: without it n8n reads the second value as an array, too. */
export function neededRightType(type: string, operation: string): string | undefined {
  if (type !== 'array' || takesOneValue(operation)) return undefined;
  return operation.startsWith('length') ? 'number' : 'any';
}

const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['equals', ['equal', 'eq', 'is', 'isEqual', 'isEqualTo', '==', '===', '=']],
  ['notEquals', ['notEqual', 'ne', 'neq', 'isNot', 'isNotEqualTo', '!=', '!==']],
  ['gt', ['larger', 'greaterThan', 'isGreaterThan', '>']],
  ['gte', ['largerEqual', 'greaterThanOrEqual', 'isGreaterThanOrEqualTo', '>=']],
  ['lt', ['smaller', 'lessThan', 'isLessThan', '<']],
  ['lte', ['smallerEqual', 'lessThanOrEqual', 'isLessThanOrEqualTo', '<=']],
  ['empty', ['isEmpty']],
  ['notEmpty', ['isNotEmpty']],
  ['regex', ['matches', 'matchesRegex']],
  ['true', ['isTrue']],
  ['false', ['isFalse']],
  ['exists', ['isSet', 'isDefined']],
]);

/** The operation behind a name from an older version or another language. */
export function operationMeant(type: string, given: string): string | undefined {
  const folded = given.toLowerCase();
  for (const [name, others] of otherNames) {
    if (others.some((other) => other.toLowerCase() === folded))
      return operations.get(type)?.includes(name) ? name : undefined;
  }
  return undefined;
}

function bothWays(...names: readonly string[]): string[] {
  return names.flatMap((name) => [name, `not${name.charAt(0).toUpperCase()}${name.slice(1)}`]);
}
