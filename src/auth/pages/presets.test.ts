import { expect, it } from 'vitest';
import { isScope, literalScopes } from '../../kernel/principal.ts';
import { isLiteral, known, listIn, presets } from './presets.ts';

it('offers scopes that exist, and knows which no other includes', () => {
  expect([...known, ...presets.flatMap(({ scopes }) => scopes)].filter((scope) => !isScope(scope))).toEqual([]);
  expect(known).toEqual(expect.arrayContaining([...literalScopes]));
  expect(known.filter(isLiteral)).toEqual(known.filter((scope) => scope !== 'admin' && literalScopes.has(scope)));
});

it('reads lists as people type them', () => {
  expect(listIn(' a, b\nc  ,,d ')).toEqual(['a', 'b', 'c', 'd']);
  expect(listIn(' , ')).toEqual([]);
});
