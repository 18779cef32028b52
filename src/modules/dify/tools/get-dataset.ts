import { z } from 'zod';
import { findDataset } from '../find-dataset.ts';
import { timeOf } from '../lenient.ts';
import { datasetOutput, shownDataset } from '../shown-dataset.ts';
import { datasetInput, difyTool } from '../tool.ts';

export const getDatasetTool = difyTool({
  name: 'dify_get_dataset',
  title: 'Show a dataset',
  description: 'Shows a dataset: documents, words, embedding model, how it is searched.',
  phrases: 'details of a dify dataset; embedding model of a knowledge base; how big is this dify dataset',
  effect: 'read',
  input: z.strictObject({ dataset: datasetInput }),
  output: datasetOutput.extend({
    embedding_model: z.string().optional(),
    embedding_available: z.boolean().optional(),
    search_method: z.string().optional(),
    permission: z.string().optional(),
    created: z.string().optional(),
    updated: z.string().optional(),
  }),
  async run({ dataset }, dify, { signal }) {
    const found = await findDataset(dify, dataset, signal);
    const { embedding_model, embedding_available, permission, retrieval_model_dict: search } = found;
    return {
      ...shownDataset(found),
      ...(embedding_model && { embedding_model: embedding_model.slice(0, 100) }),
      ...(typeof embedding_available === 'boolean' && { embedding_available }),
      ...(typeof search?.search_method === 'string' && { search_method: search.search_method.slice(0, 50) }),
      ...(permission && { permission: permission.slice(0, 50) }),
      created: timeOf(found.created_at),
      updated: timeOf(found.updated_at),
    };
  },
});
