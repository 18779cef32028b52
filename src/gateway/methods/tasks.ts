import type { Json } from '../../kernel/source.ts';
import { code, errorOutcome, isObject, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { Relay } from '../relay.ts';
import { lanesOf, makesTasks, renameTask, TASKS, type TaskIndex, type TaskPlace } from '../tasks.ts';
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
  async function askAt(place: TaskPlace, method: string, params: Json, exchange: Exchange): Promise<Answer> {
    const { backend, lane, own } = place;
    const id = params.taskId as string;
    const asked = { method, params: { ...params, taskId: own }, name: own, idempotent: false, lane, task: own };
    const answer = await relay(backend, asked, exchange);
    return 'error' in answer || own === id ? answer : { result: renameTask(answer.result, own, id) };
  }

  /** A task that was made before the gateway started, or forgotten: everyone who may have it is asked. */
  async function find(places: readonly TaskPlace[], params: Json, exchange: Exchange): Promise<TaskPlace | Answer> {
    const asked = places.map((place) => askAt(place, 'tasks/get', params, exchange));
    const answers = await Promise.allSettled(asked);
    const having = places.filter((_, index) => {
      const answer = answers[index];
      return answer?.status === 'fulfilled' && 'result' in answer.value;
    });
    const [only, ...others] = having;
    if (only && others.length === 0) return only;
    if (only) {
      const names = having.map(({ backend, own }) => `${backend.name}+${own}`).join(', ');
      return errorOutcome(
        code.invalidParams,
        `Several servers have a task ${String(params.taskId)}. Say which: ${names}.`,
      );
    }
    // It may be where nobody answered.
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return unknown(params.taskId);
  }

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
    const params = request.params as Json;
    const taskId = params?.taskId;
    if (typeof taskId !== 'string')
      return errorOutcome(code.invalidParams, `Invalid params: ${method} needs a taskId.`);
    const places = tasks.places(taskId, exchange.principal.id, visibility.backends(exchange));
    const [first, ...others] = places;
    if (!first) return unknown(taskId);
    if (others.length === 0) return askAt(first, method, params, exchange);
    const place = await find(places, params, exchange);
    if (!('backend' in place)) return place;
    tasks.found(taskId, place);
    return askAt(place, method, params, exchange);
  }

  async function list(request: Request, exchange: Exchange): Promise<Answer> {
    const asked = { method: 'tasks/list', params: { ...request.params }, name: '', idempotent: true };
    const makers = visibility.backends(exchange).filter(makesTasks);
    const lists = makers.flatMap((backend) =>
      lanesOf(backend).map(async (lane) => {
        const answer = await relay(backend, { ...asked, lane }, exchange).catch(() => undefined);
        const given = answer && 'result' in answer && Array.isArray(answer.result.tasks) ? answer.result.tasks : [];
        const sound = given.filter((task): task is Json => isObject(task) && typeof task.taskId === 'string');
        return sound.map((task) => ({ backend, task, made: tasks.at(backend, lane, task.taskId) }));
      }),
    );
    const all = (await Promise.all(lists)).flat();
    const mine = all.filter(({ made }) => (made?.principal ?? exchange.principal.id) === exchange.principal.id);
    /** For a task that nobody remembers, an id that stands for two tasks stands for neither. */
    const counts = new Map<unknown, number>();
    for (const { task } of all) counts.set(task.taskId, (counts.get(task.taskId) ?? 0) + 1);
    const isAmbiguous = (id: string) => tasks.isTaken(id) || (counts.get(id) ?? 0) > 1;
    const shown = mine.map(({ backend, task, made }) => {
      const own = task.taskId as string;
      return renameTask(task, own, made?.id ?? (isAmbiguous(own) ? `${backend.name}+${own}` : own));
    });
    return { result: { tasks: shown } };
  }

  return {
    both: { 'tasks/get': about, 'tasks/cancel': about },
    legacy: { 'tasks/result': about, 'tasks/list': list },
    modern: { 'tasks/update': about },
  };
}

const unknown = (taskId: unknown): Answer => errorOutcome(code.invalidParams, `Unknown task: ${String(taskId)}`);
