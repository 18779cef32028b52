import { AppError } from '../../kernel/errors.ts';
import { n8nTool } from '../tool.ts';
import { tagNameInput, tagOutput } from './tag-input.ts';

export const createTag = n8nTool({
  name: 'n8n_create_tag',
  title: 'Create tag',
  description: 'Creates a tag. n8n_set_workflow_tags gives it to workflows and can create missing tags.',
  effect: 'create',
  phrases:
    'create a tag; add a new label; make a category for workflows; new tag; define a label; i need a new tag; introduce a label; make a tag with this name; add a tag to the list of tags; another category; that tag does not exist yet, make it; we want to mark things, create the label; a fresh tag; invent a tag; set up a label; a label with this name should exist; add tag; open a new category; register a label',
  tags: ['tags'],
  input: { name: tagNameInput.describe('Its name, up to 24 characters') },
  output: tagOutput,
  async run({ name }, { client }, { signal }) {
    try {
      const tag = await client.tags.create(name, signal);
      return { id: tag.id, name: tag.name };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      throw new AppError('conflict', `A tag "${name}" already exists.`, { cause: error });
    }
  },
});
