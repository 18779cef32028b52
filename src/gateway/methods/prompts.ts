import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import type { OwnPrompt } from '../../kernel/source.ts';
import { code, errorOutcome, isObject, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import { answerFor, ours } from '../era.ts';
import { promptArguments, suggested } from '../own-offers.ts';
import type { Parking } from '../parking.ts';
import type { PromptIndex, RegisteredPrompt } from '../prompts.ts';
import type { Relay } from '../relay.ts';
import type { ResourceIndex } from '../resources.ts';
import type { Visibility } from '../visibility.ts';
import { listed, type Methods, refuseCursor } from './method.ts';

export function promptMethods(deps: {
  relay: Relay;
  prompts: PromptIndex;
  resources: ResourceIndex;
  parking: Parking;
  visibility: Visibility;
}): Methods {
  const { prompts, resources, visibility } = deps;

  function visiblePrompts(exchange: Exchange) {
    return prompts.all().filter(seenBy(exchange));
  }

  function seenBy(exchange: Exchange): (prompt: RegisteredPrompt) => boolean {
    const backends = visibility.backends(exchange);
    const offered = visibility.offers(exchange).prompts;
    return ({ own, backend }) => (own ? offered.includes(own) : backends.includes(backend));
  }

  function get(request: Request, exchange: Exchange): Promise<Answer> | Answer {
    const wanted = String(request.params?.name);
    const prompt = prompts.find(wanted);
    if (!prompt || !seenBy(exchange)(prompt)) {
      const near = nearestNames(
        wanted,
        visiblePrompts(exchange).map(({ name }) => name),
      );
      return errorOutcome(code.invalidParams, sentences(`Unknown prompt: ${shown(wanted)}.`, didYouMean(near)));
    }
    if (prompt.own) return getOwn(prompt.own, request, exchange);
    const { backend, original } = prompt;
    const asked = {
      method: 'prompts/get',
      params: { ...request.params, name: original },
      name: original,
      idempotent: true,
    };
    return deps.parking.run(exchange, request, (context) => deps.relay(backend, asked, context));
  }

  async function getOwn(prompt: OwnPrompt, request: Request, exchange: Exchange): Promise<Answer> {
    const given = promptArguments(prompt, request.params?.arguments);
    return deps.parking.run(exchange, request, async (context) =>
      answerFor(context.client, ours, 'prompts/get', { result: { ...(await prompt.get(given, context)) } }),
    );
  }

  function complete(request: Request, exchange: Exchange): Promise<Answer> | Answer {
    const ref = isObject(request.params?.ref) ? request.params.ref : {};
    const prompt = ref.type === 'ref/prompt' && typeof ref.name === 'string' ? prompts.find(ref.name) : undefined;
    const uri = ref.type === 'ref/resource' && typeof ref.uri === 'string' ? ref.uri : undefined;
    const own = ownRef(prompt, uri, exchange);
    if (own) return completeOwn(own, request, exchange);
    const template = uri === undefined ? undefined : resources.template(uri);
    const backend = prompt?.backend ?? template?.backend;
    if (!backend || !visibility.backends(exchange).includes(backend)) {
      return errorOutcome(
        code.invalidParams,
        'Invalid params: ref does not name a prompt or resource template of this server.',
      );
    }
    const named = prompt ? { ...ref, name: prompt.original } : { ...ref, uri: template?.uri };
    const asked = {
      method: 'completion/complete',
      params: { ...request.params, ref: named },
      name: '',
      idempotent: true,
    };
    return deps.relay(backend, asked, exchange);
  }

  /** How to complete an argument of a prompt or template of ours that the client may use. */
  function ownRef(prompt: RegisteredPrompt | undefined, uri: string | undefined, exchange: Exchange) {
    const offers = visibility.offers(exchange);
    if (prompt?.own && offers.prompts.includes(prompt.own)) {
      const { own } = prompt;
      return { names: own.arguments.map(({ name }) => name), suggest: own.complete?.bind(own) };
    }
    if (uri === undefined) return undefined;
    const owner = offers.resources.find(({ templates }) => templates.some(({ uriTemplate }) => uriTemplate === uri));
    return owner && { names: undefined, suggest: owner.complete?.bind(owner, uri) };
  }

  async function completeOwn(
    { names, suggest }: NonNullable<ReturnType<typeof ownRef>>,
    { params }: Request,
    exchange: Exchange,
  ): Promise<Answer> {
    const { name, value } = isObject(params?.argument) ? params.argument : {};
    if (typeof name !== 'string' || typeof value !== 'string')
      throw new AppError('invalid_input', 'Invalid params: argument needs a name and a value, both strings.');
    if (names && !names.includes(name))
      throw new AppError('invalid_input', `Invalid params: there is no argument ${shown(name)}.`);
    const values = (await suggest?.(name, value, exchange)) ?? [];
    return answerFor(exchange.client, ours, 'completion/complete', { result: suggested(values) });
  }

  return {
    both: {
      'prompts/list': (request, exchange) =>
        refuseCursor(request) ??
        listed(
          'prompts',
          'prompts',
          visiblePrompts(exchange).map(({ wire }) => wire),
          exchange,
          visibility,
        ),
      'prompts/get': get,
      'completion/complete': complete,
    },
  };
}
