import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { upstreamPages } from '../../upstream-pages.ts';
import { document, numbered, segments } from '../answers.ts';
import { findDataset } from '../find-dataset.ts';
import { documentOutput, shownDocument } from '../shown-dataset.ts';
import { cursorInput, cursorOutput, datasetInput, difyTool, documentInput } from '../tool.ts';

export const getDocumentTool = difyTool({
  name: 'dify_get_document',
  title: 'Show a document',
  description: 'Shows a document of a dataset with its segments, page by page.',
  phrases:
    'read a document in dify; segments of a dify document; is the dify document indexed; text of a knowledge base document',
  effect: 'read',
  input: z.strictObject({ dataset: datasetInput, document: documentInput, cursor: cursorInput }),
  output: documentOutput.extend({
    segments: z.array(
      z.object({
        id: z.string(),
        position: z.number().optional(),
        text: z.string(),
        answer: z.string().optional(),
        enabled: z.boolean().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ dataset: given, document: documentId, cursor }, dify, { signal }) {
    const { id } = await findDataset(dify, given, signal);
    const api = dify.knowledge();
    const path = ['datasets', id, 'documents', documentId];
    const about = shownDocument(await api.get(document, path, { query: { metadata: 'without' }, signal }));
    const { items, ...next } = await upstreamPages(
      { list: 'dify_get_document', asked: { id, documentId }, cursor, besides: about },
      numbered(api, segments, [...path, 'segments'], { query: {}, signal }),
      (one) => ({
        id: one.id,
        ...(typeof one.position === 'number' && { position: one.position }),
        text: brief(one.content ?? '', 3500),
        ...(one.answer && { answer: brief(one.answer, 800) }),
        ...(one.enabled === false && { enabled: false }),
      }),
    );
    return { ...about, segments: items, ...next };
  },
});
