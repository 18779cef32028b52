import { z } from 'zod';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';

export interface Asker {
  /** The service with its place: `openhands at 127.0.0.1:3000`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
}

const detail = z.union([z.string(), z.array(z.object({ loc: z.array(z.unknown()), msg: z.string() }))]);
const body = z.object({ detail: detail.optional(), error: z.string().optional(), message: z.string().optional() });

/** What OpenHands, or a proxy before it, says about a request that it refuses. */
export function explain(error: HttpError, { at, setting }: Asker): AppError {
  const { status } = error;
  const made = (code: ErrorCode, text: string) => new AppError(code, text, { cause: error });
  const said = saidIn(error.body);
  if (status >= 300 && status < 400)
    return made(
      'unavailable',
      `${at} redirects to another address, perhaps a login page. Set ${setting}.url in sluice.yaml to the address of OpenHands itself.`,
    );
  if (status === 401)
    return made(
      'unavailable',
      `${at} refuses the key (HTTP 401). Correct ${setting}.apiKey in sluice.yaml: an API key of the cloud (Settings, API Keys), or the session key of your own server.`,
    );
  if (said === undefined)
    return status < 500
      ? made(
          'unavailable',
          `What answers at ${at} (HTTP ${status}) is not the API of OpenHands. Correct ${setting}.url in sluice.yaml.`,
        )
      : made(
          'unavailable',
          `${at} answered with HTTP ${status}. Check that OpenHands runs, and try again in a moment.`,
        );
  if (status === 404 && said === 'Not Found')
    return made(
      'unsupported',
      `${at} does not have this part of the V1 API (/api/v1). Update OpenHands: its older API is not supported.`,
    );
  const reason = sentence(said);
  if (status === 402) return made('conflict', `${at} wants to be paid: ${reason}`);
  if (status === 403) return made('forbidden', `${at} does not allow it: ${reason}`);
  if (status === 404)
    return made('not_found', `${at} does not have it: ${reason} openhands_list_conversations shows what there is.`);
  if (status === 409)
    return made(
      'conflict',
      `The sandbox does not run: ${reason} openhands_send_message wakes it; openhands_get_conversation shows its status.`,
    );
  if (status === 410)
    return made('conflict', `The conversation is archived: ${reason} Start another with openhands_start_conversation.`);
  if (status === 429) return made('rate_limited', `${at} limits requests: ${reason} Try again later.`);
  if (status < 500) return made('invalid_input', `${at} refuses it: ${reason} Change it and try again.`);
  return made('unavailable', `${at} failed (HTTP ${status}): ${reason} The log of OpenHands says more.`);
}

/** Undefined if it is no answer of the API. */
function saidIn(text: string): string | undefined {
  try {
    const { detail: given, error, message } = body.parse(JSON.parse(text));
    if (Array.isArray(given))
      return given.map(({ loc, msg }) => `${loc.slice(1).map(String).join('.')}: ${msg}`).join('; ');
    return given ?? error ?? message ?? '';
  } catch {
    return undefined;
  }
}

const sentence = (said: string): string => {
  const text = shortened(said.trim(), 600);
  if (text === '') return 'it gives no reason.';
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
