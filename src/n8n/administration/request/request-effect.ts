import type { Effect } from '../../../kernel/effect.ts';
import { requestPath } from './request-path.ts';

/** The last words of paths whose POST runs something rather than creating it. n8n ignores case. */
const RUNS =
  /\/(?:retry|stop|test|test-runs|cancel|test-trace|sync|push|pull|promote|apply|continue|clone|disconnect)$/i;

/** The effect of a request. Without a method it is a GET. */
export function requestEffect({
  method = 'GET',
  path,
}: {
  readonly method?: unknown;
  readonly path?: unknown;
}): Effect {
  switch (method) {
    case 'GET':
      return 'read';
    case 'POST':
      return runs(path) ? 'execute' : 'create';
    case 'PUT':
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'delete';
    default:
      return 'execute';
  }
}

/** Judges the path that is sent, not the one that was written: `/executions/7/%72etry` runs something, too. */
function runs(path: unknown): boolean {
  if (typeof path !== 'string') return true;
  try {
    return RUNS.test(requestPath(path.trim()));
  } catch {
    // It is not sent.
    return true;
  }
}
