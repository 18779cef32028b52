import { AppError } from '../../kernel/errors.ts';

/** Why n8n refused a request, in its own words. It is the cause of the AppError. */
export interface Refused {
  readonly said: string;
}

export function saidIn(error: AppError): string {
  let inner: unknown = error;
  while (inner instanceof AppError) inner = inner.cause;
  return typeof inner === 'object' && inner !== null && 'said' in inner ? String(inner.said) : '';
}

// For some refusals n8n has no code, only words. Match those words here: when n8n changes one, one file changes.

/** n8n has no such path. For an unknown id it says "Not Found" instead. */
export const isUnknownPath = (error: AppError): boolean => saidIn(error) === 'not found';

/** The status of an execution that could not be stopped because it had already ended. */
export function endedAs(error: AppError): { id: string; status: string } | undefined {
  const said = /Only running or waiting executions can be stopped and (\d+) is currently (\w+)/.exec(saidIn(error));
  return said?.[1] !== undefined && said[2] !== undefined ? { id: said[1], status: said[2] } : undefined;
}

/** Why a workflow could not call another one, from the message of that failure. */
export function calleeProblem(said: string): 'unpublished' | 'missing' | undefined {
  if (said.startsWith('Workflow is not active')) return 'unpublished';
  return /not found|does not exist/i.test(said) ? 'missing' : undefined;
}

/** The node because of which n8n refused a workflow. */
export const nodeRefused = (error: AppError): string | undefined => /Node "([^"]+)"/.exec(saidIn(error))?.[1];

const UNREGISTERED = /^(The requested webhook ".*" is|This webhook is) not registered/s;

/** The body of the 404 for a webhook that n8n does not know. A workflow can answer 404 too, but not with this body. */
export function isUnregisteredWebhook(body: unknown): boolean {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return code === 404 && typeof message === 'string' && UNREGISTERED.test(message);
}

/** n8n reports an error when a credential type has no test. */
export const hasNoTest = (message: string | null | undefined): boolean => /no testing function/i.test(message ?? '');
