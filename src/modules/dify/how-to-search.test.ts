import { expect, test } from 'vitest';
import { howToSearch } from './how-to-search.ts';

const plain = { reranking_enable: false, score_threshold_enabled: false, top_k: 5 };

test.each([
  [{}, undefined, { ...plain, search_method: 'semantic_search' }],
  [{ indexing_technique: 'economy' }, undefined, { ...plain, search_method: 'keyword_search' }],
  [
    { indexing_technique: 'economy', retrieval_model_dict: { search_method: 'semantic_search', weights: null } },
    undefined,
    { ...plain, search_method: 'keyword_search' },
  ],
  [
    { retrieval_model_dict: { search_method: 'hybrid_search', reranking_enable: true, top_k: 2 } },
    undefined,
    { ...plain, search_method: 'hybrid_search', reranking_enable: true },
  ],
  [
    { retrieval_model_dict: { search_method: 'hybrid_search' } },
    'full_text_search',
    { ...plain, search_method: 'full_text_search' },
  ],
])('%j with the method %s', (dataset, method, expected) => {
  expect(
    howToSearch({ indexing_technique: null, retrieval_model_dict: null, ...dataset }, { limit: 5, method }),
  ).toEqual(expected);
});
