import type { Task } from './task.ts';
import { backups } from './tasks/backups.ts';
import { badInput } from './tasks/bad-input.ts';
import { buildFromWords } from './tasks/build-from-words.ts';
import { credentials } from './tasks/credentials.ts';
import { details } from './tasks/details.ts';
import { judge } from './tasks/judge.ts';
import { paste } from './tasks/paste.ts';
import { repair } from './tasks/repair.ts';
import { search } from './tasks/search.ts';
import { together } from './tasks/together.ts';
import { webhookAnswers } from './tasks/webhook-answers.ts';

/** In the order in which people meet them. */
export const tasks: readonly Task[] = [
  buildFromWords,
  webhookAnswers,
  repair,
  together,
  paste,
  credentials,
  backups,
  search,
  details,
  judge,
  badInput,
];
