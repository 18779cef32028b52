import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { listTags } from './list-tags.ts';
import { renameTag } from './rename-tag.ts';
import { setWorkflowTags } from './set-workflow-tags.ts';

export const tagTools: readonly AnyTool<N8nDeps>[] = [listTags, createTag, renameTag, deleteTag, setWorkflowTags];
