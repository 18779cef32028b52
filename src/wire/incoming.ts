import { AppError, messageOf, toAppError } from '../kernel/errors.ts';
import { asMessage, type Id, idIn, isObject, isResponse, isTooDeep, MAX_DEPTH } from './jsonrpc.ts';
import type { LinkEvents } from './link.ts';

/**
 * Handles the text of one message or batch from a server. `origin` is the request on whose stream it came. Returns
 * whether that request was answered.
 */
export function receiveText(text: string, events: Omit<LinkEvents, 'closed'>, origin?: Id): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    events.noise(`${text.length} characters that are not JSON`);
    return false;
  }
  let answered = false;
  /** Runs in an event handler: an exception caused by one server's message must not end the process. */
  const take: LinkEvents['message'] = (message, from, whole) => {
    try {
      events.message(message, from, whole);
    } catch (error) {
      const answers = isResponse(message) ? message.id : null;
      if (answers === null) events.noise(`a message that could not be handled: ${messageOf(error)}`);
      else events.failed(answers, toAppError(error));
    }
  };
  for (const value of Array.isArray(parsed) ? parsed : [parsed]) {
    const message = asMessage(value);
    if ('invalid' in message) {
      const broken = answerTo(value);
      if (broken !== null && broken === origin) answered = true;
      if (broken === null) events.noise(`not a JSON-RPC message: ${message.invalid}`);
      else events.failed(broken, noAnswer(message.invalid));
      continue;
    }
    const answers = isResponse(message) ? message.id : null;
    if (answers !== null && answers === origin) answered = true;
    // A message nested too deeply to be serialized would crash whoever passes it on.
    const deep = text.length > MAX_DEPTH && isTooDeep(message);
    if (!deep) take(message, origin, value === parsed ? text : undefined);
    else if (answers === null) events.noise('a message that is nested too deeply');
    else events.failed(answers, tooDeep());
  }
  return answered;
}

/**
 * The id if the value looks like an answer, even an unusable one: no other answer will come. (A log line may have an id
 * too.)
 */
const answerTo = (value: unknown): Id | null =>
  isObject(value) && value.jsonrpc === '2.0' && value.method === undefined ? idIn(value) : null;

const noAnswer = (why: string) =>
  new AppError('unavailable', `The server's answer to this request is not valid JSON-RPC: ${why}.`);

const tooDeep = () =>
  new AppError(
    'too_large',
    `The server's answer is nested more than ${MAX_DEPTH} levels deep, so Sluice does not pass it on.`,
  );
