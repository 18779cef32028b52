import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dateMethods,
  dateMethodsInExpressions,
  methods,
  onlyInExpressions,
} from '../../../src/validation/expressions/methods.ts';
import { catalogueIsMissing, n8nModules } from '../../support/catalogue.ts';

interface Extensions {
  readonly ExpressionExtensions: readonly { readonly functions: Readonly<Record<string, unknown>> }[];
}

/** A method that is missing from our lists would be a false alarm. */
describe.skipIf(catalogueIsMissing)('the methods that n8n and Luxon have', () => {
  const load = createRequire(join(n8nModules, 'n8n-workflow', 'package.json'));

  it('are known if n8n adds them', () => {
    const { ExpressionExtensions: extensions } = load('n8n-workflow') as Extensions;
    const names = extensions.flatMap(({ functions }) => Object.keys(functions));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !methods.has(name) && !onlyInExpressions.has(name))).toEqual([]);
  });

  it('are known if Luxon has them', () => {
    const luxon = load('luxon') as Record<string, unknown>;
    const things = Object.values(luxon).filter((one) => typeof one === 'function');
    const names = things
      .flatMap((one) => [one, one.prototype as object])
      .flatMap((one) => Object.entries(Object.getOwnPropertyDescriptors(one)))
      .filter(([name, { value }]) => typeof value === 'function' && !name.startsWith('_'))
      .map(([name]) => name);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => !methods.has(name))).toEqual([]);
  });

  it('are known for a date', () => {
    const { DateTime } = load('luxon') as { DateTime: { prototype: object } };
    const names = Object.entries(Object.getOwnPropertyDescriptors(DateTime.prototype)).flatMap(([name, { value }]) =>
      typeof value === 'function' && name !== 'constructor' ? [name] : [],
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !dateMethods.has(name))).toEqual([]);
    const { ExpressionExtensions: extensions } = load('n8n-workflow') as Extensions;
    const added = extensions.flatMap(({ functions }) => Object.keys(functions));
    expect(added.filter((name) => !dateMethodsInExpressions.has(name))).toEqual([]);
  });
});
