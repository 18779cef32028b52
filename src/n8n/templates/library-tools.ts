import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { getTemplate } from './get-template.ts';
import { searchTemplates } from './search-templates.ts';
import { suggestTemplates } from './suggest-templates.ts';
import { syncTemplates } from './sync-templates.ts';

/** The tools that read template libraries. They need no n8n. */
export const libraryTools: readonly AnyTool<N8nDeps>[] = [
  searchTemplates,
  getTemplate,
  suggestTemplates,
  syncTemplates,
];
