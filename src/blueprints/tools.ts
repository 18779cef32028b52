import { approve } from './tools/approve.ts';
import { cancel } from './tools/cancel.ts';
import { deploy } from './tools/deploy.ts';
import { history } from './tools/history.ts';
import { listDefinitions } from './tools/list-definitions.ts';
import { listSchedules } from './tools/list-schedules.ts';
import { plan } from './tools/plan.ts';
import { remove } from './tools/delete.ts';
import { resume } from './tools/resume.ts';
import { save } from './tools/save.ts';
import { show } from './tools/show.ts';
import { status } from './tools/status.ts';
import { undo } from './tools/undo.ts';
import { validate } from './tools/validate.ts';

/** The tools, in the order of the list. */
export const blueprintTools = [
  listDefinitions,
  show,
  validate,
  plan,
  deploy,
  status,
  approve,
  cancel,
  undo,
  resume,
  history,
  listSchedules,
  save,
  remove,
];
