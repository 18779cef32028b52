import type { Json } from '../../kernel/source.ts';
import { code, errorOutcome, isObject, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { Relay } from '../relay.ts';
import { makesTasks, TASKS, type TaskIndex } from '../tasks.ts';
import type { Visibility } from '../visibility.ts';
import type { Methods } from './method.ts';

const declaresTasks = ({ extensions }: Json): boolean => isObject(extensions) && isObject(extensions[TASKS]);

/** Requests about tasks go to whoever made the task. */
export function taskMethods({
  relay,
  tasks,
  visibility,
}: {
  relay: Relay;
  tasks: TaskIndex;
  visibility: Visibility;
}): Methods {
  async function about(request: Request, exchange: Exchange): Promise<Answer> {
    const { method } = request;
    if (exchange.client.era === 'modern' && !declaresTasks(exchange.client.capabilities)) {
      const required = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
      return errorOutcome(
        code.missingCapability,
        `${method} is for clients that declare the tasks extension.`,
        required,
      );
    }
    const taskId = request.params?.taskId;
    if (typeof taskId !== 'string')
      return errorOutcome(code.invalidParams, `Invalid params: ${method} needs a taskId.`);
    let last: Answer = errorOutcome(code.invalidParams, `Unknown task: ${taskId}`);
    let unreachable: unknown;
    for (const { backend, lane } of tasks.routes(taskId, exchange.principal.id, visibility.backends(exchange))) {
      const asked = { method, params: request.params as Json, name: taskId, idempotent: false, lane };
      try {
        last = await relay(backend, asked, exchange);
      } catch (error) {
        unreachable ??= error;
        continue;
      }
      if ('error' in last) continue;
      if (!tasks.find(taskId)) tasks.made(taskId, { backend });
      return last;
    }
    // It may be where nobody answered.
    if (unreachable !== undefined) throw unreachable;
    return last;
  }

  async function list(request: Request, exchange: Exchange): Promise<Answer> {
    const asked = { method: 'tasks/list', params: { ...request.params }, name: '', idempotent: true };
    const mine = (task: unknown) => {
      const maker = isObject(task) ? tasks.find(task.taskId)?.principal : undefined;
      return maker === undefined || maker === exchange.principal.id;
    };
    const makers = visibility.backends(exchange).filter(makesTasks);
    const lists = makers.map(async (backend): Promise<unknown[]> => {
      const answer = await relay(backend, asked, exchange).catch(() => undefined);
      return answer && 'result' in answer && Array.isArray(answer.result.tasks) ? answer.result.tasks : [];
    });
    return { result: { tasks: (await Promise.all(lists)).flat().filter(mine) } };
  }

  return {
    both: { 'tasks/get': about, 'tasks/cancel': about },
    legacy: { 'tasks/result': about, 'tasks/list': list },
    modern: { 'tasks/update': about },
  };
}
