import type { Action } from '../definition/shape.ts';
import type { Acted, ActDeps, Acting } from './act.ts';
import { callTool } from './call-tool.ts';
import { postWebhook } from './post-webhook.ts';
import { runWorkflow } from './run-workflow.ts';

/** Carries out an action whose templates are filled in. */
export function act(action: Action, acting: Acting, deps: ActDeps): Promise<Acted> {
  switch (action.kind) {
    case 'tool':
      return callTool(action, acting, deps);
    case 'workflow':
      return runWorkflow(action, acting, deps);
    case 'webhook':
      return postWebhook(action, acting, deps);
  }
}
