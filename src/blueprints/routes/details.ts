import { late } from '../../kernel/late.ts';
import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { Details } from './detail-answers.ts';
import type { RoutesDeps } from './call.ts';

interface Detail {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly view: 'definitionOverview' | 'definitionDetail' | 'runTimeline' | 'stepDetail';
  readonly query?: Readonly<Record<string, object>>;
  answer(details: Details, asked: RouteRequest): Promise<object>;
}

const details: readonly Detail[] = [
  {
    path: '/blueprint-definitions',
    operationId: 'blueprintDefinitions',
    summary: 'All blueprints and recipes: where they come from, what is wrong with them, their last run',
    view: 'definitionOverview',
    answer: (all, asked) => all.overview(asked),
  },
  {
    path: '/blueprints/:name/definition',
    operationId: 'blueprintDefinition',
    summary: 'A blueprint whole: its text, inputs, findings, and whether what it needs is there',
    view: 'definitionDetail',
    answer: (all, asked) => all.definition(asked),
  },
  {
    path: '/blueprint-runs/:run/timeline',
    operationId: 'blueprintRunTimeline',
    summary: 'A run whole: every step, item and try with its times, and what you may do about it',
    view: 'runTimeline',
    answer: (all, asked) => all.timeline(asked),
  },
  {
    path: '/blueprint-runs/:run/steps/:step',
    operationId: 'blueprintRunStep',
    summary: 'What a step was given and what came of it. Only for whoever deployed the run, and for admins',
    view: 'stepDetail',
    query: { item: { type: 'integer', minimum: 0 }, phase: { enum: ['do', 'undo'] } },
    answer: (all, asked) => all.step(asked),
  },
];

/** What pages show besides what tools answer: tools keep their answers short. */
export function detailRoutes(deps: RoutesDeps): Route[] {
  const load = late(async () => (await import('./detail-answers.ts')).createDetails(deps));
  return details.map(({ path, operationId, summary, view, query = {}, answer }) => ({
    path: `/api/v1${path}`,
    scope: 'blueprint:read',
    async openapi() {
      const [{ answered }, views] = await Promise.all([
        import('../../kernel/described.ts'),
        import('../service/detail-views.ts'),
      ]);
      const parameters = Object.entries(query).map(([name, type]) => ({
        name,
        in: 'query',
        required: false,
        schema: type,
      }));
      return {
        operationId,
        summary,
        tags: ['blueprints'],
        ...(parameters.length > 0 && { parameters }),
        responses: answered(views[view]),
      };
    },
    handle: async (asked) =>
      Response.json(await answer(await load(), asked), { headers: { 'cache-control': 'no-store' } }),
  }));
}
