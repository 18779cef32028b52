import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { brief } from '../../text-part.ts';
import { found } from '../answers.ts';
import { findDataset } from '../find-dataset.ts';
import { howToSearch } from '../how-to-search.ts';
import { datasetInput, difyTool } from '../tool.ts';

export const searchDatasetTool = difyTool({
  name: 'dify_search_dataset',
  title: 'Search a dataset',
  description: 'Finds passages of a dataset by meaning or words, the best first, with their document and score.',
  phrases: 'search the dify knowledge base; find a passage in a dify dataset; what do our documents in dify say about',
  effect: 'read',
  input: z.strictObject({
    dataset: datasetInput,
    query: z.string().trim().min(1).max(250).describe('What to look for'),
    limit: z.int().min(1).max(20).default(5).describe('At most so many results'),
    method: z
      .enum(['semantic_search', 'full_text_search', 'hybrid_search', 'keyword_search'])
      .optional()
      .describe('Default: as the dataset is set'),
  }),
  output: z.object({
    passages: z.array(
      z.object({
        text: z.string(),
        answer: z.string().optional(),
        score: z.number().optional(),
        document: z.string().optional(),
        document_id: z.string().optional(),
        segment_id: z.string(),
      }),
    ),
    more: z.int().optional().describe('Passages that did not fit'),
  }),
  async run({ dataset: given, query, limit, method }, dify, { signal }) {
    const dataset = await findDataset(dify, given, signal);
    const retrieval_model = howToSearch(dataset, { limit, method });
    const { records } = await dify.knowledge().get(found, ['datasets', dataset.id, 'retrieve'], {
      method: 'POST',
      body: { query, retrieval_model },
      signal,
    });
    const all = records.slice(0, limit).map(({ score, segment }) => ({
      text: brief(segment.content ?? '', 2200),
      ...(segment.answer && { answer: brief(segment.answer, 1000) }),
      ...(typeof score === 'number' && { score: Math.round(score * 1000) / 1000 }),
      ...(segment.document?.name && { document: brief(segment.document.name, 200) }),
      ...(segment.document_id && { document_id: segment.document_id }),
      segment_id: segment.id,
    }));
    const passages = all.slice(0, all.length === 0 ? 0 : fittingItems(all));
    return { passages, ...(passages.length < all.length && { more: all.length - passages.length }) };
  },
});
