import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { findDataset } from '../find-dataset.ts';
import { datasetInput, difyTool } from '../tool.ts';

export const deleteDatasetTool = difyTool({
  name: 'dify_delete_dataset',
  title: 'Delete a dataset',
  description: 'Deletes a dataset with all its documents.',
  phrases: 'delete a dify dataset; remove a knowledge base from dify; drop a dify dataset',
  effect: 'delete',
  input: z.strictObject({ dataset: datasetInput }),
  output: z.object({ id: z.string(), name: z.string(), deleted: z.boolean() }),
  async preview({ dataset }, dify, { signal }) {
    const { name, document_count, app_count } = await findDataset(dify, dataset, signal);
    const users = app_count
      ? ` ${app_count} app${app_count === 1 ? '' : 's'} use it and will lose this knowledge.`
      : '';
    const count = document_count ?? 0;
    return `Deletes the dataset "${brief(name, 200)}" with ${count} document${count === 1 ? '' : 's'}.${users} This cannot be undone.`;
  },
  async run({ dataset }, dify, { signal }) {
    const { id, name } = await findDataset(dify, dataset, signal);
    await dify.knowledge().send(['datasets', id], { method: 'DELETE', signal });
    return { id, name: brief(name, 200), deleted: true };
  },
});
