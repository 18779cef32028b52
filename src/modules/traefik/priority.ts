import type { Router } from './answers.ts';

/** The priority of a router. Without one, it is the length of the rule in bytes. */
export function priorityOf({ rule, priority, priorityStr }: Router): { value: bigint; isSet: boolean } {
  const length = BigInt(Buffer.byteLength(rule));
  const given = /^-?\d{1,20}$/.test(priorityStr ?? '') ? BigInt(priorityStr as string) : BigInt(Math.trunc(priority));
  // Version 3 fills in the length.
  return given === 0n || given === length ? { value: length, isSet: false } : { value: given, isSet: true };
}

export const shownPriority = (router: Router): string => {
  const { value, isSet } = priorityOf(router);
  return `${value} (${isSet ? 'set' : 'length of the rule'})`;
};
