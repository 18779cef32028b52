import { z } from 'zod';
import { upstreamPages } from '../../upstream-pages.ts';
import { documents, numbered } from '../answers.ts';
import { findDataset } from '../find-dataset.ts';
import { documentOutput, shownDocument } from '../shown-dataset.ts';
import { cursorInput, cursorOutput, datasetInput, difyTool } from '../tool.ts';

export const listDocumentsTool = difyTool({
  name: 'dify_list_documents',
  title: 'List documents',
  description: 'Lists the documents of a dataset with their indexing status.',
  phrases:
    'which documents are in this dify dataset; list documents of a knowledge base; which dify documents failed to index',
  effect: 'read',
  input: z.strictObject({
    dataset: datasetInput,
    keyword: z.string().max(200).optional().describe('In the name'),
    cursor: cursorInput,
  }),
  output: z.object({ documents: z.array(documentOutput), cursor: cursorOutput }),
  async run({ dataset: given, keyword, cursor }, dify, { signal }) {
    const { id } = await findDataset(dify, given, signal);
    const { items, ...next } = await upstreamPages(
      { list: 'dify_list_documents', asked: { id, keyword }, cursor },
      numbered(dify.knowledge(), documents, ['datasets', id, 'documents'], { query: { keyword }, signal }),
      shownDocument,
    );
    return { documents: items, ...next };
  },
});
