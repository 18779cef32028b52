import { createOwnSource } from '../kernel/own-source.ts';
import type { ToolSource } from '../kernel/source.ts';
import type { BlueprintDeps } from './tool.ts';
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

/** Provisioning in several steps. */
export const blueprintSource = (deps: BlueprintDeps): ToolSource =>
  createOwnSource<BlueprintDeps>({
    id: 'blueprint',
    exposure: 'compact',
    description: 'set things up in several steps that survive restarts and can be undone',
    guide: () => [
      'To set up something in several steps, look for a blueprint: `blueprint_read {tool: "list_definitions"}`, then plan it and deploy it with `blueprint_call {tool: "deploy", params: {name: "…", inputs: {…}}}`.',
    ],
    tools: blueprintTools,
    deps,
  });
