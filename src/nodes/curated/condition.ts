export interface Condition {
  readonly left: string;
  readonly operator: { readonly type: string; readonly operation: string };
  readonly right: unknown;
}

/** The conditions of If, Filter and Switch, as n8n has written them since version 2.3 of the first two and 3.4 of Switch. */
export function conditions(...all: readonly Condition[]) {
  return {
    options: { caseSensitive: true, typeValidation: 'strict', version: 3 },
    conditions: all.map(({ left, operator, right }, at) => ({
      id: `condition-${at + 1}`,
      leftValue: left,
      rightValue: right,
      operator,
    })),
    combinator: 'and',
  };
}
