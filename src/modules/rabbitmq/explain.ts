import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { HttpError } from '../http.ts';

type Reading = readonly [reason: RegExp, as: ErrorCode, message: (at: string, said: string) => string];

const USER = 'the user of modules.rabbitmq';
const tagged = (tag: string) => `Give it the tag: rabbitmqctl set_user_tags USER ${tag}.`;

/** RabbitMQ says in the reason what is missing; its status is 401 for most of them. */
const refusals: readonly Reading[] = [
  [
    /via localhost/i,
    'unavailable',
    (at) =>
      `${at} lets this user log in from its own machine only, as it does with guest. Create another user, and correct modules.rabbitmq.url.`,
  ],
  [
    /not management user/i,
    'unavailable',
    (at) => `${at} does not let ${USER} use the management API. ${tagged('management')}`,
  ],
  [/not monitor user/i, 'forbidden', (at) => `${at} needs the tag monitoring for this. ${tagged('monitoring')}`],
  [
    /not administrator user/i,
    'forbidden',
    (at) => `${at} needs the tag administrator for this. ${tagged('administrator')}`,
  ],
  [/not policymaker/i, 'forbidden', (at) => `${at} needs the tag policymaker for this. ${tagged('policymaker')}`],
  [
    /access virtual host|access to vhost|vhost .* refused/i,
    'forbidden',
    (at) =>
      `${at} does not let ${USER} into this vhost. rabbitmq_list_vhosts shows those that it may use; rabbitmqctl set_permissions -p VHOST USER ".*" ".*" ".*" adds one.`,
  ],
  [
    /access.*refused|not permitted/i,
    'forbidden',
    (at, said) =>
      `${at} refused it: ${said} Names that begin with amq. and the default exchange belong to RabbitMQ; for others, ${USER} lacks the permission (rabbitmq_list_users).`,
  ],
  [
    /login failed|no_credentials|user .* does not exist|password/i,
    'unavailable',
    (at) => `${at} refuses the user or the password. Correct them in modules.rabbitmq.url or managementUrl.`,
  ],
];

const MANAGEMENT = 'The URL must lead to the management API (port 15672, plugin rabbitmq_management)';

/** What RabbitMQ or something in its place answered, for whoever can act on it. */
export function explain(error: unknown, at: string): AppError | undefined {
  if (!(error instanceof HttpError)) return unreadable(error, at);
  const made = (code: ErrorCode, text: string) => new AppError(code, text, { cause: error });
  const said = reasonOf(error);
  if (said === undefined) return made(...strange(error, at));
  if (error.status === 401 || error.status === 403) {
    const [, code, message] = refusals.find(([reason]) => reason.test(said)) ?? [];
    if (code && message) return made(code, message(at, ended(said)));
    const isLogin = error.status === 401 && error.headers['www-authenticate'] !== undefined;
    return isLogin
      ? made('unavailable', `${at} refuses the user or the password (${said}). Correct them in modules.rabbitmq.url.`)
      : made('forbidden', `${at} does not let ${USER} do this: ${ended(said)}`);
  }
  if (/NOT_FOUND|no (?:queue|exchange|binding|vhost)/.test(said) || error.status === 404)
    return made('not_found', `${at} does not have it: ${ended(said)} Look for its name with the list tools.`);
  if (/resource-locked|RESOURCE_LOCKED|exclusive/i.test(said))
    return made('conflict', `The queue belongs to one connection alone (exclusive), which closes it: ${ended(said)}`);
  if (/inequivalent arg|PRECONDITION_FAILED/i.test(said))
    return made(
      'conflict',
      `It is there already with other properties, which cannot be changed: ${ended(said)} Use another name, or delete it first.`,
    );
  if (/not empty|in use/i.test(said)) return made('conflict', `Nothing was deleted: ${ended(said)}`);
  if (error.status === 405)
    return made('unsupported', `${at} does not offer this: ${ended(said)} Its version or its settings leave it out.`);
  if (error.status === 408 || error.status === 504)
    return made('timeout', `${at} took too long by its own measure: ${ended(said)} Ask for less.`);
  if (error.status === 429) return made('rate_limited', `${at} gets too many requests. Wait a moment.`);
  if (error.status < 500) return made('invalid_input', `RabbitMQ refused it: ${ended(said)}`);
  return made('unavailable', `${at} failed: ${ended(said)} Its log says more. rabbitmq_check_health looks for causes.`);
}

/** The JSON of the API; undefined if something else answered. */
function reasonOf({ status, body, headers }: HttpError): string | undefined {
  if (body === '') return status === 405 ? 'Method Not Allowed' : `HTTP ${status}`;
  if (!/json/i.test(headers['content-type'] ?? 'json')) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { error, reason } = (read ?? {}) as { error?: unknown; reason?: unknown };
  const said = reason ?? error;
  return (typeof said === 'string' ? said : JSON.stringify(said ?? `HTTP ${status}`)).slice(0, 500);
}

const strange = ({ status }: HttpError, at: string): [ErrorCode, string] =>
  status >= 500
    ? ['unavailable', `${at} is behind a proxy that answered ${status}. Check that RabbitMQ runs.`]
    : [
        'unavailable',
        `What answers at ${at} (${status}) is not RabbitMQ's API. ${MANAGEMENT}: correct modules.rabbitmq.managementUrl.`,
      ];

/** The port of AMQP answers too, but not in HTTP. And a broker can run without the plugin. */
function unreadable(error: unknown, at: string): AppError | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string') return undefined;
  const made = (text: string) => new AppError('unavailable', `${at} ${text}`, { cause: error });
  if (code.startsWith('HPE_'))
    return made(
      `does not answer in HTTP. ${MANAGEMENT}, not to AMQP (port 5672): correct modules.rabbitmq.managementUrl.`,
    );
  if (code === 'ECONNREFUSED')
    return made(
      'cannot be reached: nothing listens there. Start RabbitMQ; if it runs, switch its API on (rabbitmq-plugins enable rabbitmq_management) or correct modules.rabbitmq.managementUrl.',
    );
  return undefined;
}

const ended = (said: string): string => (/[.!?]$/.test(said) ? said : `${said}.`);
