import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { n8nTool } from '../tool.ts';
import { allTags, tagIn } from './names.ts';
import { tagNameInput, tagOutput } from './tag-input.ts';

export const renameTag = n8nTool({
  name: 'n8n_rename_tag',
  title: 'Rename tag',
  description: 'Renames a tag. Workflows that have it keep it.',
  effect: 'update',
  phrases:
    "rename a tag; change the name of a label; give a tag another name; correct the spelling of a tag; call a category something else; tag has a typo; change a label's text; new name for a tag; give the label a different name; rename a category; a label should read differently; prod should be called production; correct a tag name; tag needs another word; retitle a label; change label to another word; alter a tag; tag should be called differently; relabel; modify the name of a category",
  tags: ['tags'],
  input: {
    tag: z.string().min(1).describe('Name or id of the tag'),
    name: tagNameInput.describe('Its new name, up to 24 characters'),
  },
  output: tagOutput.extend({ was: z.string() }),
  async run({ tag, name }, { client }, { signal }) {
    const tags = await allTags(client, signal);
    const found = tagIn(tags, tag);
    if (tags.some((one) => one.name === name && one.id !== found.id)) {
      throw new AppError('conflict', `A tag "${name}" already exists. Nothing was changed.`);
    }
    const renamed = await client.tags.rename(found.id, name, signal);
    return { id: renamed.id, name: renamed.name, was: found.name };
  },
});
