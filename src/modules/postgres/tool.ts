import { toolsFor } from '../../kernel/tool.ts';
import type { Postgres } from './connection.ts';

export const postgresTool = toolsFor<Postgres>({ category: 'postgres' });
