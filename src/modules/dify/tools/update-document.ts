import { z } from 'zod';
import { document as documentAnswer, written } from '../answers.ts';
import { findDataset } from '../find-dataset.ts';
import { indexed, indexedOutput } from '../indexed.ts';
import { datasetInput, difyTool, documentInput } from '../tool.ts';
import { textInput } from './add-document.ts';

export const updateDocumentTool = difyTool({
  name: 'dify_update_document',
  title: 'Update a document',
  description: 'Replaces the text of a document, and waits until it is indexed again. Its old segments are gone.',
  phrases: 'update a dify document; replace the text of a document in the knowledge base; correct a dify document',
  effect: 'update',
  input: z.strictObject({
    dataset: datasetInput,
    document: documentInput,
    text: textInput.describe('New text'),
    name: z.string().trim().min(1).max(255).optional().describe('Default: as before'),
  }),
  output: z.object({ id: z.string(), dataset: z.string(), ...indexedOutput }),
  async run({ dataset: given, document: id, text, name }, dify, { signal }, progress) {
    const dataset = await findDataset(dify, given, signal);
    const path = ['datasets', dataset.id, 'documents', id];
    const api = dify.knowledge();
    // Dify wants a name with every text.
    const before = await api.get(documentAnswer, path, { query: { metadata: 'without' }, signal });
    const { document, batch } = await api.get(written, [...path, 'update-by-text'], {
      method: 'POST',
      body: { name: name ?? before.name, text, process_rule: { mode: 'automatic' } },
      signal,
      progress,
    });
    const state = await indexed(dify, { dataset: dataset.id, batch }, { signal, progress });
    return { id: document.id, dataset: dataset.id, ...state };
  },
});
