import type { Json } from '../../kernel/source.ts';

/** A fact that a plan relies on: `key` identifies it, `stamp` changes with it, `what` says it in words. */
export interface Fact {
  readonly key: string;
  readonly what: string;
  readonly stamp: string;
}

/** A plan as it is kept until somebody applies it: what was asked for, and what it was based on. */
export interface KeptPlan {
  /** The arguments, as JSON. */
  readonly asked: Json;
  readonly facts: readonly Fact[];
}

/** What is no longer as it was when the plan was made. */
export function changedFacts(then: readonly Fact[], now: readonly Fact[]): string[] {
  const known = new Map(now.map((fact) => [fact.key, fact]));
  const before = new Set(then.map(({ key }) => key));
  return [
    ...then.flatMap(({ key, what, stamp }) => {
      const fact = known.get(key);
      if (!fact) return [`${what} is gone or is no longer needed`];
      return fact.stamp === stamp ? [] : [`${what} has changed`];
    }),
    ...now.filter(({ key }) => !before.has(key)).map(({ what }) => `${what} is new`),
  ];
}
