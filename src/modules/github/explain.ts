import { z } from 'zod';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';

/** What was asked, for errors. */
export interface Question {
  /** Such as `repos/acme/shop/branches`. */
  readonly path: string;
  /** The service with its place: `github at api.github.com`. */
  readonly at: string;
  /** Where its section is in the file. */
  readonly setting: string;
  readonly isAnonymous: boolean;
}

const MOST = 600;

const refusal = z.object({
  message: z.string(),
  errors: z
    .union([
      z.string().transform((text) => [text]),
      z.array(
        z.union([
          z.string(),
          z.looseObject({
            resource: z.string().optional(),
            field: z.string().optional(),
            code: z.string().optional(),
            message: z.string().optional(),
          }),
        ]),
      ),
    ])
    .optional()
    .catch(undefined),
});
type Refusal = z.output<typeof refusal>;

/** What GitHub, or a proxy before it, says about a request that it refuses. */
export function explain(error: HttpError, question: Question): AppError {
  const [code, text] = reading(error, question);
  return new AppError(code, text, { cause: error });
}

function reading(error: HttpError, { path, at, setting, isAnonymous }: Question): [ErrorCode, string] {
  const { status, headers } = error;
  const said = read(error.body);
  const token = `${setting}.token`;
  if (status >= 300 && status < 400)
    return [
      'unavailable',
      `${at} redirects to another address. Set ${setting}.url in sluice.yaml to GitHub's API itself: https://api.github.com, or https://HOST/api/v3 of an Enterprise Server.`,
    ];
  if (!said) return strange(status, at, setting);
  if (status === 401)
    return isAnonymous
      ? ['forbidden', `${at} needs a token for this: set ${token} in sluice.yaml, or GITHUB_TOKEN.`]
      : [
          'unavailable',
          `${at} refuses the token (${sentence(said)}) It may have expired or been revoked: create another one, and set ${token} in sluice.yaml, or GITHUB_TOKEN.`,
        ];
  const sso = /url=(\S+)/.exec(String(headers['x-github-sso'] ?? ''))?.[1];
  if (sso !== undefined)
    return [
      'forbidden',
      `The organization requires single sign-on, and the token of ${token} is not authorized for it. Authorize it in GitHub: Settings, Developer settings, Personal access tokens, Configure SSO.`,
    ];
  if (status === 403 || status === 451)
    return ['forbidden', `${at} refuses it: ${sentence(said)} ${missing(headers, said, token, isAnonymous)}`];
  if (status === 404)
    return [
      'not_found',
      isAnonymous
        ? `${at} has no ${path}, or it is private: without ${token}, only what is public is there. Check the name.`
        : `${at} has no ${path}, or the token of ${token} may not see it: GitHub hides what is private. Check the name, and the repositories of the token.`,
    ];
  if (status === 409) return ['conflict', `${at} cannot do it now: ${sentence(said)}${hint(said)}`];
  if (status === 410) return ['not_found', `${path} is gone or switched off: ${sentence(said)}`];
  if (status === 405) return ['conflict', `${at} does not allow it: ${sentence(said)}`];
  if (status === 422) return ['invalid_input', `${at} refuses it: ${sentence(said)} Change the call and try again.`];
  if (status < 500) return ['invalid_input', `${at} refuses it (HTTP ${status}): ${sentence(said)}`];
  return [
    'unavailable',
    `${at} failed (HTTP ${status}): ${sentence(said)} Try again in a moment; www.githubstatus.com tells of outages.`,
  ];
}

/** A page of a proxy, or nothing. */
const strange = (status: number, at: string, setting: string): [ErrorCode, string] =>
  status >= 500
    ? ['unavailable', `${at} failed (HTTP ${status}) and gave no reason. Try again in a moment.`]
    : [
        'unavailable',
        `What answers at ${at} (HTTP ${status}) is not GitHub's API. Correct ${setting}.url in sluice.yaml: https://api.github.com, or https://HOST/api/v3 of an Enterprise Server.`,
      ];

/** GitHub names in headers what a token would need. */
function missing(headers: HttpError['headers'], { message }: Refusal, token: string, isAnonymous: boolean): string {
  if (isAnonymous) return `Without ${token} only what is public can be read.`;
  const permissions = headers['x-accepted-github-permissions'];
  if (typeof permissions === 'string' && permissions !== '')
    return `The token of ${token} needs the permission ${permissions.replace(/;\s*/g, ' or ')}: edit it in GitHub's settings.`;
  const scopes = headers['x-accepted-oauth-scopes'];
  const has = headers['x-oauth-scopes'];
  if (typeof scopes === 'string' && scopes !== '' && typeof has === 'string')
    return `The token of ${token} needs one of the scopes ${scopes}; it has ${has === '' ? 'none' : has}.`;
  return /not accessible|must have|permission/i.test(message)
    ? `The user or token of ${token} lacks the right: edit the token, or ask the owner of the repository.`
    : `Check the rights of the token in ${token}.`;
}

const hint = ({ message }: Refusal): string =>
  /empty/i.test(message) ? ' A repository gets its first commit with github_put_file.' : '';

function read(body: string): Refusal | undefined {
  try {
    return refusal.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function sentence({ message, errors = [] }: Refusal): string {
  const details = errors.map((one) => (typeof one === 'string' ? one : detail(one)));
  const text = shortened([message, ...details].join('; ').trim(), MOST);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Each code means a sentence; `custom` comes with its own. */
function detail(one: Exclude<NonNullable<Refusal['errors']>[number], string>): string {
  const { resource, field, code, message } = one;
  if (message !== undefined && message !== '') return message;
  const what = [resource, field].filter((part) => part !== undefined).join('.');
  switch (code) {
    case 'missing':
      return `${resource ?? 'it'} does not exist`;
    case 'missing_field':
      return `${what} is missing`;
    case 'already_exists':
      return `${what} is already taken`;
    case 'unprocessable':
    case 'invalid':
      return `${what} is not valid`;
    default:
      return [what, code].filter(Boolean).join(': ');
  }
}
