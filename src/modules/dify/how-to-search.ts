import type { Dataset } from './answers.ts';

/** The settings of a search: those of the dataset, as far as the call says nothing else. */
export function howToSearch(
  { retrieval_model_dict, indexing_technique }: Pick<Dataset, 'retrieval_model_dict' | 'indexing_technique'>,
  { limit, method }: { readonly limit: number; readonly method: string | undefined },
): Readonly<Record<string, unknown>> {
  const own = Object.fromEntries(Object.entries(retrieval_model_dict ?? {}).filter(([, value]) => value !== null));
  // Without embeddings there are only keywords, whatever its settings say.
  const only = indexing_technique === 'economy' ? 'keyword_search' : undefined;
  return {
    reranking_enable: false,
    score_threshold_enabled: false,
    ...own,
    search_method: method ?? only ?? own.search_method ?? 'semantic_search',
    top_k: limit,
  };
}
