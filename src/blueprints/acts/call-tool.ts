import type { Act } from './act.ts';
import { contextOf } from './context.ts';
import { actedFrom } from './outcome.ts';

const IDEMPOTENCY_KEY = 'sluice/idempotency-key';

export const callTool: Act<'tool'> = async ({ tool, arguments: args }, acting, { call }) =>
  actedFrom(await call(tool, args, contextOf(acting), { [IDEMPOTENCY_KEY]: acting.key }));
