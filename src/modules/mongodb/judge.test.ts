import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPipeline, checkQuery, checkUpdate, isEverything, needNarrowFilter } from './judge.ts';

const anywhere = () => {};
const onlyOrders = (collection: string) => {
  if (collection !== 'orders') throw new Error(`${collection} is out of reach`);
};

describe('code', () => {
  test.each(['$where', '$function', '$accumulator', '$_internalJsEmit'])('%s is found at any depth', (key) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('$and', '$expr', 'a', '$not', 'list'), { maxLength: 30 }), (path) => {
        const query = path.reduceRight<unknown>((inner, step) => (step === 'list' ? [inner] : { [step]: inner }), {
          [key]: 'x',
        });
        expect(() => checkQuery(query, 'filter')).toThrow('runs code');
      }),
    );
  });

  test('texts that name an operator are no code', () => {
    expect(() => checkQuery({ note: '$where', $or: [{ a: '$function' }] }, 'filter')).not.toThrow();
  });

  test('queries that are too large are refused', () => {
    expect(() => checkQuery({ $or: Array.from({ length: 30_000 }, () => ({})) }, 'filter')).toThrow('too large');
  });
});

describe('pipelines', () => {
  test.each<[string, object[]]>([
    ['plain stages', [{ $match: { a: 1 } }, { $group: { _id: '$a' } }, { $sort: { _id: 1 } }, { $limit: 3 }]],
    ['a join', [{ $lookup: { from: 'orders', as: 'o', pipeline: [{ $match: {} }] } }]],
    ['a join with documents', [{ $lookup: { as: 'o', pipeline: [{ $documents: [{ a: 1 }] }] } }]],
    ['a union by name', [{ $unionWith: 'orders' }]],
    ['facets', [{ $facet: { a: [{ $count: 'n' }], b: [{ $unionWith: { coll: 'orders' } }] } }]],
    ['a fusion', [{ $rankFusion: { input: { pipelines: { a: [{ $search: {} }] } } } }]],
  ])('%s may run', (_, pipeline) => {
    expect(() => checkPipeline(pipeline, onlyOrders)).not.toThrow();
  });

  test.each<[string, object[]]>([
    ['a join', [{ $lookup: { from: 'users', as: 'u' } }]],
    ['a join in a join', [{ $lookup: { from: 'orders', as: 'o', pipeline: [{ $unionWith: 'users' }] } }]],
    ['a graph', [{ $graphLookup: { from: 'users' } }]],
    ['a union', [{ $unionWith: { coll: 'users' } }]],
    ['a union in a union', [{ $unionWith: { coll: 'orders', pipeline: [{ $unionWith: 'users' }] } }]],
    ['a facet', [{ $facet: { a: [{ $lookup: { from: 'users', as: 'u' } }] } }]],
    ['a fusion', [{ $rankFusion: { input: { pipelines: { a: [{ $unionWith: 'users' }] } } } }]],
  ])('%s with a collection out of reach is refused', (_, pipeline) => {
    expect(() => checkPipeline(pipeline, onlyOrders)).toThrow('users is out of reach');
  });

  test.each<[string, object[], string]>([
    ['a join by object', [{ $lookup: { from: { db: 'x', coll: 'orders' } } }], 'same database'],
    ['a graph without a collection', [{ $graphLookup: {} }], 'same database'],
    ['a facet that is no list', [{ $facet: { a: { $out: 'x' } } }], 'list of stages'],
    ['an empty stage', [{}], 'one stage'],
    ['$out', [{ $match: {} }, { $out: 'copy' }], 'pipeline[1]'],
    ['$merge', [{ $merge: { into: 'copy' } }], 'only reads'],
    ['$currentOp', [{ $currentOp: { allUsers: true } }], 'about the server'],
    ['a misspelt stage', [{ $gruop: {} }], 'Did you mean $group'],
    ['a stage with the name of a method', [{ constructor: {} }], 'not a stage'],
  ])('%s is refused', (_, pipeline, said) => {
    expect(() => checkPipeline(pipeline, anywhere)).toThrow(said);
  });
});

describe('changes', () => {
  test.each([{ $set: { a: 1 } }, { $inc: { a: 1 }, $unset: { b: '' } }, [{ $set: { a: '$b' } }]])(
    'the update %j may run',
    (update) => {
      expect(() => checkUpdate(update)).not.toThrow();
    },
  );

  test.each([{}, { a: 1 }, { $set: { a: 1 }, b: 2 }, [], [{ $lookup: {} }], [{ $out: 'x' }]])(
    'the update %j is refused',
    (update) => {
      expect(() => checkUpdate(update)).toThrow(/operators|stages/);
    },
  );

  test.each([
    {},
    { $and: [] },
    { $and: [{}, { $or: [{ a: 1 }, {}] }] },
    { $comment: 'all' },
    { $expr: true },
    { $or: [{}], $comment: 'x' },
  ])('the filter %j means everything', (filter) => {
    expect(isEverything(filter)).toBe(true);
    expect(() => needNarrowFilter(filter)).toThrow('every document');
  });

  test.each([{ a: 1 }, { $or: [{ a: 1 }] }, { $and: [{}, { a: 1 }] }, { _id: { $exists: true } }])(
    'the filter %j says what it means',
    (filter) => {
      expect(isEverything(filter)).toBe(false);
    },
  );
});
