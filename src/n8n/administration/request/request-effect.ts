import type { Effect } from '../../../kernel/effect.ts';

/** The last words of paths whose POST runs something rather than creating it. */
const RUNS =
  /\/(?:retry|stop|test|test-runs|cancel|test-trace|sync|push|pull|promote|apply|continue|clone|disconnect)\/?$/;

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
      return typeof path === 'string' && RUNS.test(path) ? 'execute' : 'create';
    case 'PUT':
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'delete';
    default:
      return 'execute';
  }
}
