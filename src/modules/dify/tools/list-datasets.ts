import { z } from 'zod';
import { upstreamPages } from '../../upstream-pages.ts';
import { datasets, numbered } from '../answers.ts';
import { isAllowed } from '../find-dataset.ts';
import { datasetOutput, shownDataset } from '../shown-dataset.ts';
import { cursorInput, cursorOutput, difyTool } from '../tool.ts';

export const listDatasetsTool = difyTool({
  name: 'dify_list_datasets',
  title: 'List datasets',
  description: 'Lists the datasets (knowledge bases) with how many documents they have.',
  phrases: 'which dify datasets are there; list knowledge bases in dify; find a dify knowledge base',
  effect: 'read',
  input: z.strictObject({ keyword: z.string().max(200).optional().describe('In the name'), cursor: cursorInput }),
  output: z.object({ datasets: z.array(datasetOutput), cursor: cursorOutput }),
  async run({ keyword, cursor }, dify, { signal }) {
    const { items, ...next } = await upstreamPages(
      { list: 'dify_list_datasets', asked: { keyword }, cursor },
      numbered(dify.knowledge(), datasets, ['datasets'], { query: { keyword }, signal }),
      (one) => (isAllowed(dify, one) ? shownDataset(one) : undefined),
    );
    return { datasets: items, ...next };
  },
});
