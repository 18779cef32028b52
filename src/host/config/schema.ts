import { z } from 'zod';
import type { Parts, SettingsOf } from '../part.ts';
import { valueOf } from './at-start.ts';

type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type KeysOf<P> = P extends { readonly settings?: infer K } ? NonNullable<K> : never;

/** The whole file, as these parts define it. */
export type ConfigOf<P extends Parts> = SettingsOf<UnionToIntersection<KeysOf<P[keyof P]>>>;

/** Schema of `sluice.yaml`: the keys of every part. */
export function schemaOf<P extends Parts>(parts: P): z.ZodType<ConfigOf<P>> & { readonly shape: z.ZodRawShape } {
  // Reverse, so that lists of known keys start with those of the server.
  const lastFirst = Object.values(parts).toReversed();
  const shape = Object.assign({}, ...lastFirst.map(({ settings }) => settings as object | undefined));
  return z.strictObject(shape as z.ZodRawShape) as unknown as ReturnType<typeof schemaOf<P>>;
}

/** The changed top-level keys. Only their names, because values may be secret. */
export function changedKeys(before: object, after: object): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(valueOf(before, name)) !== JSON.stringify(valueOf(after, name)));
}
