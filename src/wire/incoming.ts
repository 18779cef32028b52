import { AppError, messageOf, toAppError } from '../kernel/errors.ts';
import { asMessage, type Id, idIn, isObject, isResponse, isTooDeep, MAX_DEPTH } from './jsonrpc.ts';
import type { LinkEvents } from './link.ts';

/**
 * Takes in the text of one message from a server, or of a batch. `origin` is the request on whose stream it came;
 * whether that got its answer is returned.
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
  /** This runs in an event handler: what a message of one server brings to light must not end the process. */
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
    // What is too deep to be written again would bring down whoever passes it on.
    const deep = text.length > MAX_DEPTH && isTooDeep(message);
    if (!deep) take(message, origin, value === parsed ? text : undefined);
    else if (answers === null) events.noise('a message that is nested too deeply');
    else events.failed(answers, tooDeep());
  }
  return answered;
}

/** What is an answer by its form, though it cannot be used: no other will come. A line of a log may have an id, too. */
const answerTo = (value: unknown): Id | null =>
  isObject(value) && value.jsonrpc === '2.0' && value.method === undefined ? idIn(value) : null;

const noAnswer = (why: string) =>
  new AppError('unavailable', `The server gave no JSON-RPC answer to this request: ${why}.`);

const tooDeep = () =>
  new AppError('too_large', `The server's answer is nested more than ${MAX_DEPTH} levels deep; that is not passed on.`);
