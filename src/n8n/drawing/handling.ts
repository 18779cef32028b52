import type { GatewayApi } from '../../gateway/open.ts';
import { denial } from '../../kernel/call.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Health } from '../../kernel/health.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { Catalogues } from '../../nodes/catalogue.ts';
import type { N8nClient } from '../client/client.ts';
import { executionInput } from '../executions/execution-input.ts';
import { knownOutputs } from '../executions/outputs.ts';
import { existingExecution } from '../executions/wait.ts';
import type { Instances as Clients } from '../instances.ts';
import { cleanNode } from '../templates/export/clean-node.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { summaryOf } from '../workflows/summary.ts';
import { drawingOf } from './drawing.ts';
import { runOf } from './run.ts';
import type { Drawing, Instances, Run } from './shapes.ts';

export interface HandlingDeps {
  readonly gateway: Pick<GatewayApi, 'registry' | 'visibility'>;
  readonly catalogues: Catalogues;
  clients(): Promise<Clients | undefined>;
  seen(): Instances['instances'];
  health(): readonly Health[];
  redact(text: string): string;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

export type Handling = ReturnType<typeof createHandling>;

/** Answers the requests for drawings. Whoever may call the tool that reads the same may see it drawn. */
export function createHandling({ gateway, catalogues, clients, seen, health, redact, stopping }: HandlingDeps) {
  async function clientFor({ params, principal }: RouteRequest, tool: string): Promise<N8nClient> {
    const known = gateway.registry.find(tool);
    const connected = await clients();
    if (!known || !connected)
      throw new AppError('not_found', 'No n8n is connected: run `sluice n8n up`, or set N8N_URL and N8N_API_KEY.');
    const denied = denial(principal, known);
    if (denied) throw denied;
    return connected.get(params.instance);
  }

  const endOf = ({ request }: RouteRequest): AbortSignal => AbortSignal.any([request.signal, stopping]);
  const editor = (client: N8nClient, ...path: readonly string[]): string =>
    redact(`${client.url.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}`);

  return {
    instances(principal: Principal): Instances {
      const isKnown = gateway.visibility.tools({ view: {}, principal }).some(({ source }) => source === 'n8n');
      if (!isKnown) return { instances: [] };
      const local = health().find(({ kind }) => kind === 'local-n8n');
      return { instances: seen(), ...(local && local.state !== 'ready' && { local }) };
    },
    async drawing(asked: RouteRequest): Promise<Drawing> {
      const client = await clientFor(asked, 'n8n_get_workflow');
      const id = asked.params.id ?? '';
      const workflow = await existingWorkflow(client, id, endOf(asked));
      const state = catalogues.state(client.name);
      return {
        url: editor(client, 'workflow', id),
        workflow: summaryOf(workflow),
        // A page that stays open must not show what somebody typed into a node as a password. Names stay as they are:
        // connections and runs refer to nodes by name.
        ...drawingOf(
          { ...workflow, nodes: workflow.nodes.map((node) => cleanNode(node, () => {})) },
          {
            outputs: knownOutputs(catalogues, client.name),
            type: (name) => (state.state === 'ready' ? state.catalogue.node(name) : undefined),
          },
        ),
      };
    },
    async run(asked: RouteRequest): Promise<Run> {
      const client = await clientFor(asked, 'n8n_get_execution');
      const id = executionInput.safeParse(asked.params.id);
      if (!id.success) throw new AppError('invalid_input', 'The id of an execution is a number.');
      const execution = await existingExecution(client, id.data, true, endOf(asked));
      return {
        url: editor(client, 'workflow', execution.workflowId, 'executions', execution.id),
        ...runOf(execution, knownOutputs(catalogues, client.name)),
      };
    },
  };
}
