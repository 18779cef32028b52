import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { code, errorOutcome, isObject, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { Parking } from '../parking.ts';
import type { PromptIndex } from '../prompts.ts';
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
    const allowed = visibility.backends(exchange);
    return prompts.all().filter(({ backend }) => allowed.includes(backend));
  }

  function get(request: Request, exchange: Exchange): Promise<Answer> | Answer {
    const wanted = String(request.params?.name);
    const prompt = prompts.find(wanted);
    if (!prompt || !visibility.backends(exchange).includes(prompt.backend)) {
      const near = nearestNames(
        wanted,
        visiblePrompts(exchange).map(({ name }) => name),
      );
      return errorOutcome(code.invalidParams, sentences(`Unknown prompt: ${shown(wanted)}.`, didYouMean(near)));
    }
    const { backend, original } = prompt;
    const asked = {
      method: 'prompts/get',
      params: { ...request.params, name: original },
      name: original,
      idempotent: true,
    };
    return deps.parking.run(exchange, request, (context) => deps.relay(backend, asked, context));
  }

  function complete(request: Request, exchange: Exchange): Promise<Answer> | Answer {
    const ref = isObject(request.params?.ref) ? request.params.ref : {};
    const prompt = ref.type === 'ref/prompt' && typeof ref.name === 'string' ? prompts.find(ref.name) : undefined;
    const template =
      ref.type === 'ref/resource' && typeof ref.uri === 'string' ? resources.template(ref.uri) : undefined;
    const backend = prompt?.backend ?? template?.backend;
    if (!backend || !visibility.backends(exchange).includes(backend)) {
      return errorOutcome(
        code.invalidParams,
        'Invalid params: ref does not name a prompt or resource template of this server.',
      );
    }
    const own = prompt ? { ...ref, name: prompt.original } : { ...ref, uri: template?.uri };
    const asked = {
      method: 'completion/complete',
      params: { ...request.params, ref: own },
      name: '',
      idempotent: true,
    };
    return deps.relay(backend, asked, exchange);
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
