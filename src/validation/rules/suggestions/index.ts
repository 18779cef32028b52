import type { Rule } from '../../rule.ts';
import { batchRequests } from './batch-requests.ts';
import { longExpression } from './long-expression.ts';
import { mergeSetNodes } from './merge-set-nodes.ts';
import { missingNotes } from './missing-notes.ts';
import { needlessLoop } from './needless-loop.ts';
import { waitInLoop } from './wait-in-loop.ts';

/** Ideas for a simpler workflow, or for fewer requests to a service. */
export const suggestionRules: readonly Rule[] = [
  mergeSetNodes,
  batchRequests,
  waitInLoop,
  needlessLoop,
  longExpression,
  missingNotes,
];
