import { z } from 'zod';
import { counted } from '../../kernel/some-of.ts';
import type { Item } from '../project.ts';
import { defaultCheck, moduleAbsent, toolOf } from './default-check.ts';

/** `schema`, or `module/schema`. */
function placed(item: Item): { schema: string; item: Item } {
  const at = item.source === undefined ? item.name.indexOf('/') : -1;
  return at > 0
    ? { schema: item.name.slice(at + 1), item: { ...item, source: item.name.slice(0, at) } }
    : { schema: item.name, item };
}

export const databaseCheck = defaultCheck({
  kind: 'database',
  absent: (item) => moduleAbsent('postgres', 'this database')(placed(item).item),
  tool: (item) => toolOf(placed(item).item, 'postgres', 'list_tables'),
  arguments: (item) => ({ schema: placed(item).schema }),
  answer: z.object({ tables: z.array(z.unknown()), next_cursor: z.string().optional() }),
  read({ tables, next_cursor: more }, item) {
    if (tables.length === 0)
      return {
        state: 'warning',
        seen: 'no tables, or no such schema',
        next: `${toolOf(placed(item).item, 'postgres', 'list_schemas')} shows the schemas.`,
      };
    return { state: 'ok', seen: `${more === undefined ? '' : 'more than '}${counted(tables.length, 'table')}` };
  },
});
