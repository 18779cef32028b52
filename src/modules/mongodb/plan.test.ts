import { expect, test } from 'vitest';
import { planOf } from './plan.ts';

test('a scan of the whole collection is advised against', () => {
  const plan = planOf({ winning: { stage: 'SORT', inputStage: { stage: 'COLLSCAN' } } });
  expect(plan).toMatchObject({ stages: ['SORT', 'COLLSCAN'], indexes: [] });
  expect(plan.advice).toHaveLength(2);
});

test('the plan of the slot-based engine is read', () => {
  const winning = {
    queryPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'a_1' } },
    slotBasedPlan: { stages: '[1] filter' },
  };
  expect(planOf({ winning })).toEqual({ stages: ['FETCH', 'IXSCAN'], indexes: ['a_1'], advice: [] });
});

test('a pipeline has the stages of the query and its own', () => {
  const cursor = {
    queryPlanner: { winningPlan: { stage: 'IXSCAN', indexName: 'a_1' }, rejectedPlans: [{ stage: 'COLLSCAN' }] },
    executionStats: { nReturned: 2, totalDocsExamined: 5000, totalKeysExamined: 5000, executionTimeMillis: 7 },
  };
  const plan = planOf({ stages: [{ $cursor: cursor }, { $group: { _id: '$a' } }] });
  expect(plan).toMatchObject({
    stages: ['IXSCAN', '$group'],
    indexes: ['a_1'],
    returned: 2,
    documents_examined: 5000,
    milliseconds: 7,
  });
  expect(plan.advice).toEqual([expect.stringContaining('more selective index')]);
});

test('the plans of shards are joined', () => {
  const shard = (indexName: string) => ({ winningPlan: { stage: 'IXSCAN', indexName } });
  expect(planOf({ winning: { stage: 'SHARD_MERGE', shards: [shard('a_1'), shard('a_1')] } }).indexes).toEqual(['a_1']);
});
