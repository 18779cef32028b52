import { denial } from '../../kernel/call.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { definitionOverviewOf } from '../service/definition-overview.ts';
import { definitionWhole } from '../service/definition-whole.ts';
import { stepWhole } from '../service/step-whole.ts';
import { timelineOf } from '../service/timeline.ts';
import { blueprintsAreOff, routeCall, type RoutesDeps } from './call.ts';
import type { DefinitionDetail, DefinitionOverview, RunTimeline, StepDetail } from '../service/detail-views.ts';

export type Details = ReturnType<typeof createDetails>;

/** Reads what a page shows. The rights are those of the tool of the same purpose. */
export function createDetails(deps: RoutesDeps) {
  const { gateway, open } = deps;
  const call = routeCall(deps);

  /** Why this principal may not call the tool. */
  function denied(principal: Principal, tool: string): AppError | undefined {
    const known = gateway.registry.find(tool);
    return known ? denial(principal, known) : blueprintsAreOff();
  }

  function judge(principal: Principal, tool: string): void {
    const error = denied(principal, tool);
    if (error) throw error;
  }

  return {
    async overview({ principal }: RouteRequest): Promise<DefinitionOverview> {
      judge(principal, 'blueprint_list_definitions');
      const seesRuns = denied(principal, 'blueprint_history') === undefined;
      return definitionOverviewOf(await open(), principal, seesRuns);
    },

    async definition({ principal, params }: RouteRequest): Promise<DefinitionDetail> {
      judge(principal, 'blueprint_show');
      return definitionWhole(await open(), params.name ?? '');
    },

    async timeline({ principal, params }: RouteRequest): Promise<RunTimeline> {
      judge(principal, 'blueprint_status');
      const runtime = await open();
      const run = await runtime.control.existing(params.run ?? '', principal);
      return timelineOf(run, runtime, principal, (tool) => denied(principal, tool)?.message);
    },

    async step(asked: RouteRequest): Promise<StepDetail> {
      const { run: id = '', step = '' } = asked.params;
      // Results are data of others: reading them is judged and recorded like the call of the tool.
      await call(asked, 'blueprint_status', { run: id, step });
      const runtime = await open();
      const query = new URL(asked.request.url).searchParams;
      return stepWhole(await runtime.control.existing(id, asked.principal), runtime, {
        step,
        item: itemIn(query.get('item')),
        phase: query.get('phase') === 'undo' ? 'undo' : 'do',
      });
    },
  };
}

function itemIn(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new AppError('invalid_input', '"item" must be a whole number.');
}
