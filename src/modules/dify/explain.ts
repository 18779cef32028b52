import { z } from 'zod';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';

/** Who asked, for errors. */
export interface Asker {
  /** The service with its place: `dify at api.dify.ai:443`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
  /** Where the key is in the file. */
  readonly key: string;
}

/** What Dify says when it refuses, as the body of an answer or as an event of a stream. */
export interface Refusal {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message: string;
}

const body = z.object({ code: z.string().optional(), message: z.unknown().optional() });

/** Undefined if something else than Dify answered: a proxy, a login page. */
function refusalIn({ status, body: text }: HttpError): Refusal | undefined {
  try {
    const { code, message } = body.parse(JSON.parse(text));
    return { status, code, message: typeof message === 'string' ? message : JSON.stringify(message ?? '') };
  } catch {
    return undefined;
  }
}

/** `too_many_requests` is about this moment. `rate_limit_error` is a quota: waiting a little does not help. */
export const isMomentary = (error: HttpError): boolean =>
  error.status === 429 && refusalIn(error)?.code !== 'rate_limit_error';

export function explainHttp(error: HttpError, asker: Asker): AppError {
  const refusal = refusalIn(error);
  if (refusal) return explain(refusal, asker, error);
  const { at, setting } = asker;
  const { status } = error;
  const made = (text: string) => new AppError('unavailable', text, { cause: error });
  if (status >= 300 && status < 400)
    return made(
      `${at} redirects to another address, perhaps a login page. Set ${setting}.url in sluice.yaml to the address of the API, such as https://api.dify.ai/v1.`,
    );
  if (status === 401 || status === 403)
    return made(
      `Something before ${at} refuses the request (HTTP ${status}). Set ${setting}.url in sluice.yaml to the address of Dify's API.`,
    );
  if (status < 500)
    return made(
      `What answers at ${at} (HTTP ${status}) is not Dify's API. Correct ${setting}.url in sluice.yaml: it ends with /v1, as Dify shows it under API Access.`,
    );
  return made(`${at} answered with HTTP ${status}. Check that Dify runs, and try again in a moment.`);
}

const MODEL =
  /^(?:provider_not_initialize|provider_quota_exceeded|model_currently_not_support|completion_request_error)$/;

const OTHER_TOOL: ReadonlyMap<string, string> = new Map([
  ['not_chat_app', 'It is not a chat app: use dify_run_workflow or dify_complete.'],
  ['not_workflow_app', 'It is not a workflow app: use dify_chat or dify_complete.'],
  [
    'app_unavailable',
    'It is not published, or of another kind: dify_get_app shows its mode, and publishing is done in Dify.',
  ],
  ['agent_not_published', 'Publish the agent in Dify first.'],
]);

/** What Dify refuses, for whoever can act on it. */
export function explain({ status, code = '', message }: Refusal, { at, setting, key }: Asker, cause?: unknown) {
  const said = sentence(message);
  const made = (as: ErrorCode, text: string) => new AppError(as, text, { cause });
  if (status === 401)
    return made(
      'unavailable',
      `${at} refuses the key (HTTP 401). Correct ${key} in sluice.yaml: Dify shows it under API Access of the app, or of Knowledge for datasets.`,
    );
  const other = OTHER_TOOL.get(code);
  if (other !== undefined) return made('invalid_input', `${at} cannot do this with the app. ${other}`);
  if (MODEL.test(code))
    return made(
      'conflict',
      `${at} cannot use the model: ${said} Correct the model or its provider in Dify; trying again does not help.`,
    );
  if (code === 'conversation_completed')
    return made('conflict', 'The conversation has ended. Leave conversation_id out to begin another.');
  if (code === 'rate_limit_error')
    return made('rate_limited', `${at} says that a quota is used up: ${said} It resets with the plan's period.`);
  if (status === 403) return made('forbidden', `${at} does not allow it: ${said}`);
  if (status === 404) return made('not_found', `${at} does not have it: ${said} The list tools show what there is.`);
  if (status === 409) return made('conflict', `${at} refuses it: ${said} Use another name.`);
  if (status === 429) return made('rate_limited', `${at} has too many requests at once: ${said} Try again later.`);
  if (status < 500)
    return made('invalid_input', `${at} refuses it: ${said} dify_get_app shows the inputs that an app takes.`);
  return made(
    'unavailable',
    `${at} failed (HTTP ${status}): ${said} Its log says more. See ${setting} in sluice.yaml for where it is.`,
  );
}

export const sentence = (said: string): string => {
  const text = shortened(said.trim(), 600);
  if (text === '' || text === '""') return 'it gives no reason.';
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
