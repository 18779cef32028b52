import type { Path } from './finding.ts';
import type { Report } from './report.ts';
import type { Action, Definition } from './shape.ts';
import { partsOf } from './texts.ts';

type Webhook = Extract<Action, { kind: 'webhook' }>;

/** Where a webhook goes is written out, up to the end of its host. */
export function checkWebhooks({ steps }: Definition, report: Report): void {
  for (const [index, { work, undo }] of steps.entries()) {
    if (work.kind === 'webhook') checkWebhook(work, ['steps', index], report);
    if (undo?.kind === 'webhook') checkWebhook(undo, ['steps', index, 'undo'], report);
  }
}

const LIKE_A_HOST = /^[\w-]+(?:\.[\w-]+)+(?:[/?]|$)/;

function checkWebhook(action: Webhook, path: Path, report: Report): void {
  const problem = addressProblem(action);
  if (problem) report.error([...path, problem.key ?? 'webhook'], problem.message, problem.fix);
  else if (LIKE_A_HOST.test(action.webhook))
    report.warning(
      [...path, 'webhook'],
      'is the path of a webhook of n8n, not a host',
      'Write https://… if it is a URL.',
    );
  if (action.method === 'GET' && action.body !== undefined)
    report.error([...path, 'body'], 'does not go with GET', 'Use POST, or put the values into the address.');
  for (const [name, value] of Object.entries(action.headers)) {
    const wrong = headerProblem(name, value);
    if (wrong) report.error([...path, 'headers', name], wrong.message, wrong.fix);
  }
}

interface Problem {
  readonly key?: string;
  readonly message: string;
  readonly fix: string;
}

export function addressProblem({ webhook, instance }: Webhook): Problem | undefined {
  const parts = partsOf(webhook);
  if (parts.length === 0) return undefined;
  const [first] = parts;
  const start = first?.kind === 'text' ? first.text : '';
  const filled = parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('');
  if (/[\s\\\p{Cc}]/u.test(filled)) return { message: 'holds a blank or a backslash', fix: 'Write %20 for a blank.' };
  const isOpen = parts.some(({ kind }) => kind === 'expression');
  // An expression could complete these to an address of its choice.
  const mayBecomeUrl = ['http://', 'https://'].some((scheme) => scheme.startsWith(start.toLowerCase()));
  if (isOpen && mayBecomeUrl) return hostIsOpen;
  if (/^https?:\/\//i.test(start)) {
    if (isOpen && !/^https?:\/\/[^/?#]+[/?#]/i.test(start)) return hostIsOpen;
    if (/^https?:\/\/[^/?#]*@/i.test(start))
      return {
        message: 'has a user or a password in its address',
        fix: 'Send them in headers, from an input with secret: true.',
      };
    if (!URL.canParse(filled)) return { message: 'is not an address', fix: 'Write it as https://example.com/hook.' };
    if (instance !== undefined)
      return {
        key: 'instance',
        message: 'does not go with a URL',
        fix: 'Remove it, or write the path of a webhook of n8n.',
      };
    return undefined;
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(start))
    return { message: 'is not an http or https URL', fix: 'Write https://…, or the path of a webhook of n8n.' };
  if (start.startsWith('//'))
    return { message: 'names a host without http: or https:', fix: 'Write https://… instead of //….' };
  if (filled.split(/[/?#]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    return { message: 'leaves the webhooks of n8n with . or ..', fix: 'Write the path of the webhook alone.' };
  return undefined;
}

const hostIsOpen: Problem = {
  message: 'has an expression in its host',
  fix: 'Write scheme and host out: "https://example.com/${…}".',
};

/** Headers of the connection, which belong to the client that sends it. */
const ofConnection: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
]);

function headerProblem(name: string, value: string): Problem | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return { message: 'is not a name of a header', fix: 'Write letters, digits and hyphens, without ${…}.' };
  if (name.toLowerCase() === 'idempotency-key')
    return { message: 'is set by Sluice', fix: 'Remove it: every step has a key of its own.' };
  if (ofConnection.has(name.toLowerCase())) return { message: 'is set by Sluice', fix: 'Remove it.' };
  if (/[\r\n\0]/.test(value)) return { message: 'holds a line break', fix: 'Write the value in one line.' };
  return undefined;
}
