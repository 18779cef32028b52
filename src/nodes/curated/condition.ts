export interface Condition {
  readonly left: string;
  readonly operator: { readonly type: string; readonly operation: string };
  readonly right: unknown;
}

/** Conditions in the format of If 2.3, Filter 2.3 and Switch 3.4. */
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
