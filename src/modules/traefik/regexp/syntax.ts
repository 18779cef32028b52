/** What a regular expression of Go consists of, without what only matters for capturing. */
export type Node =
  | { readonly kind: 'set'; has(codePoint: number): boolean }
  | { readonly kind: 'assert'; readonly at: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

export type Assertion = 'text start' | 'text end' | 'line start' | 'line end' | 'word edge' | 'no word edge';

/** Go refuses this expression, too: Traefik has then disabled the router. */
export class BadPattern extends Error {
  override readonly name = 'BadPattern';
}

/** The expression may be fine, but is not evaluated here. */
export class CannotJudge extends Error {
  override readonly name = 'CannotJudge';
}
