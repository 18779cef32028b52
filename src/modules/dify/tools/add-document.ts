import { z } from 'zod';
import { written } from '../answers.ts';
import { findDataset } from '../find-dataset.ts';
import { indexed, indexedOutput } from '../indexed.ts';
import { datasetInput, difyTool } from '../tool.ts';

export const textInput = z.string().min(1).max(2_000_000);

export const addDocumentTool = difyTool({
  name: 'dify_add_document',
  title: 'Add a document',
  description: 'Adds a text to a dataset as a document, and waits until it can be found.',
  phrases:
    'add a document to dify; put a text into the knowledge base; upload text to a dify dataset; teach dify something',
  effect: 'create',
  input: z.strictObject({
    dataset: datasetInput,
    name: z.string().trim().min(1).max(255).describe('Name of the document'),
    text: textInput.describe('Text of the document'),
    indexing: z
      .enum(['high_quality', 'economy'])
      .optional()
      .describe('Only for the first document of a dataset: with embeddings, or with keywords'),
  }),
  output: z.object({ id: z.string(), dataset: z.string(), ...indexedOutput }),
  async run({ dataset: given, name, text, indexing }, dify, { signal }, progress) {
    const dataset = await findDataset(dify, given, signal);
    const technique = indexing ?? (dataset.indexing_technique ? undefined : 'high_quality');
    const { document, batch } = await dify
      .knowledge()
      .get(written, ['datasets', dataset.id, 'document', 'create-by-text'], {
        method: 'POST',
        body: {
          name,
          text,
          process_rule: { mode: 'automatic' },
          ...(technique !== undefined && { indexing_technique: technique }),
        },
        signal,
        progress,
      });
    const state = await indexed(dify, { dataset: dataset.id, batch }, { signal, progress });
    return { id: document.id, dataset: dataset.id, ...state };
  },
});
