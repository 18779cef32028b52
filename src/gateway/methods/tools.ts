import { type CallPath, failed } from '../../kernel/call.ts';
import { formerly } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import { joined } from '../../kernel/large-text.ts';
import type { CallContext, CallParams } from '../../kernel/source.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { isObject, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import type { CallInner } from '../exposure/wrapper.ts';
import type { Projection } from '../exposure/exposure.ts';
import type { Parking } from '../parking.ts';
import type { Registered, Registry } from '../registry.ts';
import { createRouter } from '../router.ts';
import type { RouteRule } from '../settings.ts';
import { recordUnknownCall } from '../unknown-call.ts';
import type { Visibility } from '../visibility.ts';
import { legacyTool } from '../backends/well-formed.ts';
import { keep } from '../kept.ts';
import { listed, type Methods, refuseCursor } from './method.ts';

export function toolMethods(deps: {
  registry: Registry;
  callPath: CallPath;
  parking: Parking;
  visibility: Visibility;
  routes(): readonly RouteRule[];
}): Methods {
  const { registry, visibility } = deps;
  const texts = new Map<string, string>();
  registry.onChange(() => texts.clear());
  const route = createRouter(registry, deps.routes);
  const callInner: CallInner = (tool, params, context) => {
    const routed = route(tool, params.arguments);
    if (routed instanceof AppError) return Promise.resolve(failed(routed));
    return deps.callPath.call(routed, params, context);
  };
  /** Also refuses a tool that a route leads to. */
  const callReading =
    (refusal: NonNullable<Projection['refusal']>): CallInner =>
    async (tool, params, context) => {
      const routed = route(tool, params.arguments);
      if (routed instanceof AppError) return failed(routed);
      const refused = refusal(routed, params.arguments ?? {});
      return refused ? failed(refused) : deps.callPath.call(routed, params, context);
    };

  const unknown = (name: string, context: CallContext): void => recordUnknownCall(deps, name, context);

  /** Builds the text of a list once for all clients that see the same tools. */
  function list(exchange: Exchange): Answer {
    const key = `${visibility.keyOf(exchange)}|${exchange.client.era}`;
    let json = texts.get(key);
    if (json === undefined) {
      const { tools } = visibility.projection(exchange);
      const readable = exchange.client.era === 'legacy' ? tools.map(legacyTool) : tools;
      json = asciiOf(JSON.stringify(listed('tools', 'tools', readable, exchange, visibility).result));
      keep(texts, key, json);
    }
    return { result: {}, json };
  }

  async function answerCall(request: Request, exchange: Exchange): Promise<Answer> {
    const params = request.params as CallParams | undefined;
    if (typeof params?.name !== 'string')
      throw new AppError('invalid_input', 'Invalid params: tools/call needs the name of a tool.');
    if (params.arguments !== undefined && !isObject(params.arguments))
      throw new AppError('invalid_input', 'Invalid params: arguments must be an object.');
    const seen = visibility.projection(exchange);
    const wrapper = seen.wrapper(params.name);
    const tool = wrapper ? undefined : seen.find(params.name);
    if (!wrapper && !tool) {
      const withheld = seen.withheld(params.name);
      if (withheld) return exchange.client.era === 'modern' ? complete(failed(withheld)) : failed(withheld);
      unknown(params.name, exchange);
      const hint = visibility.missing(params.name, exchange) ?? 'tools/list shows the names.';
      throw new AppError('not_found', `Unknown tool: ${shown(params.name)}. ${hint}`);
    }
    const call = seen.refusal ? callReading(seen.refusal) : callInner;
    const answer = await deps.parking.run(exchange, request, async (context): Promise<Answer> => {
      if (tool) return call(tool, asNow(tool, params), context);
      try {
        return await (wrapper as NonNullable<typeof wrapper>)(params, context, { call, unknown });
      } catch (error) {
        return failed(deps.callPath.told(error, { traceId: context.trace.traceId, tool: shown(params.name) }));
      }
    });
    return exchange.client.era === 'modern' ? complete(answer) : answer;
  }

  return {
    both: { 'tools/list': (request, exchange) => refuseCursor(request) ?? list(exchange), 'tools/call': answerCall },
  };
}

/** Translates a call that uses a former name of the tool. */
function asNow(tool: Registered, params: CallParams): CallParams {
  const read = formerly(tool, params.name);
  return read ? { ...params, name: tool.name, arguments: read(params.arguments ?? {}) } : params;
}

/** One letter beyond Latin-1 doubles the cost of every write of the whole text, so escape them once. */
function asciiOf(json: string): string {
  const escaped = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped === json ? json : Buffer.from(escaped, 'latin1').toString('latin1');
}

const COMPLETE = '{"resultType":"complete"';

/** A 2026 result must say that it is complete. Our own tools do not know about eras, so add it here. */
function complete(answer: Answer): Answer {
  if ('error' in answer || answer.result.resultType !== undefined) return answer;
  const { result, json } = answer;
  // A relayed text may already say it although the parsed result does not.
  if (json !== undefined)
    return json.startsWith(COMPLETE)
      ? answer
      : { ...answer, json: joined(`${COMPLETE}${json === '{}' ? '' : ','}`, json.slice(1)) };
  return { ...answer, result: { resultType: 'complete', ...result } };
}
