import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { document as documentAnswer } from '../answers.ts';
import { findDataset } from '../find-dataset.ts';
import { datasetInput, difyTool, documentInput } from '../tool.ts';

export const deleteDocumentTool = difyTool({
  name: 'dify_delete_document',
  title: 'Delete a document',
  description: 'Deletes a document of a dataset with its segments.',
  phrases: 'delete a dify document; remove a document from the knowledge base; take a text out of a dify dataset',
  effect: 'delete',
  input: z.strictObject({ dataset: datasetInput, document: documentInput }),
  output: z.object({ id: z.string(), dataset: z.string(), deleted: z.boolean() }),
  async preview({ dataset: given, document: id }, dify, { signal }) {
    const dataset = await findDataset(dify, given, signal);
    const path = ['datasets', dataset.id, 'documents', id];
    const found = await dify.knowledge().get(documentAnswer, path, { query: { metadata: 'without' }, signal });
    const segments = typeof found.segment_count === 'number' ? ` with ${found.segment_count} segments` : '';
    return `Deletes the document "${brief(found.name, 300)}"${segments} of the dataset "${brief(dataset.name, 200)}". This cannot be undone.`;
  },
  async run({ dataset: given, document: id }, dify, { signal }) {
    const dataset = await findDataset(dify, given, signal);
    await dify.knowledge().send(['datasets', dataset.id, 'documents', id], { method: 'DELETE', signal });
    return { id, dataset: dataset.id, deleted: true };
  },
});
