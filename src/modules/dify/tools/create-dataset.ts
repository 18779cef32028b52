import { z } from 'zod';
import { dataset } from '../answers.ts';
import { datasetOutput, shownDataset } from '../shown-dataset.ts';
import { difyTool } from '../tool.ts';

export const createDatasetTool = difyTool({
  name: 'dify_create_dataset',
  title: 'Create a dataset',
  description: 'Creates an empty dataset (knowledge base).',
  phrases: 'create a dify dataset; new knowledge base in dify; make a dataset for documents',
  effect: 'create',
  input: z.strictObject({
    name: z.string().trim().min(1).max(40).describe('Name of the dataset'),
    description: z.string().max(400).optional().describe('What it is for'),
    indexing: z.enum(['high_quality', 'economy']).optional().describe('With embeddings, or with keywords'),
    permission: z.enum(['only_me', 'all_team_members']).default('only_me').describe('Who sees it in Dify'),
  }),
  output: datasetOutput,
  async run({ name, description, indexing, permission }, dify, { signal }) {
    dify.datasets.need(name);
    const made = await dify.knowledge().get(dataset, ['datasets'], {
      method: 'POST',
      body: {
        name,
        permission,
        ...(description !== undefined && { description }),
        ...(indexing !== undefined && { indexing_technique: indexing }),
      },
      signal,
    });
    return shownDataset(made);
  },
});
