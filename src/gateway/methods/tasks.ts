import type { Json } from '../../kernel/source.ts';
import { code, errorOutcome, isObject, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { Relay } from '../relay.ts';
import { lanesOf, makesTasks, renameTask, TASKS, type TaskIndex, type TaskPlace } from '../tasks.ts';
import type { Visibility } from '../visibility.ts';
import type { Methods } from './method.ts';

const declaresTasks = ({ extensions }: Json): boolean => isObject(extensions) && isObject(extensions[TASKS]);

/** Tasks of one server: each needs a lookup. */
const MOST_LISTED = 10_000;

/** Sends requests about a task to the server that made it. */
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

  /** Asks several connections which of them has a task. Needed if Sluice no longer knows. */
  async function having(
    places: readonly TaskPlace[],
    params: Json,
    exchange: Exchange,
  ): Promise<TaskPlace | undefined> {
    const answers = await Promise.allSettled(places.map((place) => askAt(place, 'tasks/get', params, exchange)));
    const found = answers.findIndex((answer) => answer.status === 'fulfilled' && 'result' in answer.value);
    if (found !== -1) return places[found];
    // A connection that did not answer may have it.
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return undefined;
  }

  async function about(request: Request, exchange: Exchange): Promise<Answer> {
    const { method } = request;
    if (exchange.client.era === 'modern' && !declaresTasks(exchange.client.capabilities)) {
      const required = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
      return errorOutcome(
        code.missingCapability,
        `${method} needs a client that declares the tasks extension.`,
        required,
      );
    }
    const params = request.params as Json;
    const taskId = params?.taskId;
    if (typeof taskId !== 'string')
      return errorOutcome(code.invalidParams, `Invalid params: ${method} needs a taskId.`);
    const task = await tasks.find(taskId, exchange.principal.id);
    const places = task ? tasks.places(task, visibility.backends(exchange)) : [];
    const maker = task && places.length > 0 ? await tasks.maker(task) : undefined;
    if (maker) return notHere(taskId, maker);
    const place = places.length > 1 ? await having(places, params, exchange) : places[0];
    if (!task || !place) return unknown(taskId);
    if (places.length > 1) tasks.found(task, place);
    return askAt(place, method, params, exchange);
  }

  async function list(request: Request, exchange: Exchange): Promise<Answer> {
    const asked = { method: 'tasks/list', params: { ...request.params }, name: '', idempotent: true };
    const makers = visibility.backends(exchange).filter(makesTasks);
    const lists = makers.flatMap((backend) =>
      lanesOf(backend).map(async (lane) => {
        const answer = await relay(backend, { ...asked, lane }, exchange).catch(() => undefined);
        const given = answer && 'result' in answer && Array.isArray(answer.result.tasks) ? answer.result.tasks : [];
        const named = given
          .filter(isObject)
          .filter(({ taskId }) => typeof taskId === 'string')
          .slice(0, MOST_LISTED);
        const names = named.map(({ taskId }) => String(taskId));
        const mine = await tasks.ofPrincipal(backend, lane, names, exchange.principal.id);
        return named.flatMap((task): [id: string, shown: Json][] => {
          const known = mine.get(String(task.taskId));
          return known ? [[known.id, renameTask(task, known.own, known.id)]] : [];
        });
      }),
    );
    // Two connections to one server may both list the same task.
    const shown = new Map((await Promise.all(lists)).flat());
    return { result: { tasks: [...shown.values()] } };
  }

  return {
    both: { 'tasks/get': about, 'tasks/cancel': about },
    legacy: { 'tasks/result': about, 'tasks/list': list },
    modern: { 'tasks/update': about },
  };
}

/** Another replica runs the server of the task. A transport that can forward lets that one answer. */
function notHere(taskId: string, maker: { replica: string } | 'gone'): Answer {
  if (maker === 'gone')
    return errorOutcome(
      code.invalidParams,
      `Task ${taskId} is lost: the replica that ran its server has stopped, and the server with it. Start the task again.`,
    );
  const message = `Task ${taskId} runs at replica ${maker.replica}. Ask for it in a request of its own over HTTP.`;
  return { ...errorOutcome(code.server, message), elsewhere: maker.replica };
}

const unknown = (taskId: unknown): Answer => errorOutcome(code.invalidParams, `Unknown task: ${String(taskId)}`);
