import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { BackupRoutesDeps } from './deps.ts';

type Handle = (deps: BackupRoutesDeps, asked: RouteRequest) => Promise<Response>;

interface About {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
}

/** What no tool shows: both sides of a difference, where backups are, and what is in that of a whole n8n. */
export function backupRoutes(deps: BackupRoutesDeps): Route[] {
  const reading = (
    path: string,
    about: About,
    name: 'kept' | 'diff' | 'whole',
    load: () => Promise<Handle>,
  ): Route => ({
    path: `/api/v1/n8n/${path}`,
    scope: 'n8n:read',
    async openapi() {
      const [{ answered, inQuery }, shapes] = await Promise.all([
        import('../../kernel/described.ts'),
        import('./shapes.ts'),
      ]);
      const [query, shape] = [shapes[`${name}Query`], shapes[`${name}Shape`]];
      return { ...about, tags: ['n8n'], parameters: inQuery(query), responses: answered(shape) };
    },
    handle: async (asked) => (await load())(deps, asked),
  });
  return [
    reading(
      'backups',
      {
        operationId: 'n8nBackups',
        summary: 'Which backups of an n8n there are, where, and for how long',
        description: 'Deleted workflows come first. The tool n8n_list_backups lists the backups of one workflow.',
      },
      'kept',
      async () => (await import('./list-kept.ts')).listKept,
    ),
    reading(
      'version-diff',
      {
        operationId: 'n8nVersionDiff',
        summary: 'Two versions of a workflow, in words and side by side',
        description: 'Like the tool n8n_diff_versions, but never cut, and with the content of both sides.',
      },
      'diff',
      async () => (await import('./version-diff.ts')).versionDiff,
    ),
    reading(
      'whole-backup',
      { operationId: 'n8nWholeBackup', summary: 'What a backup of a whole n8n has in it' },
      'whole',
      async () => (await import('./whole-backup.ts')).wholeBackup,
    ),
    {
      method: 'POST',
      path: '/api/v1/n8n/backups',
      scope: 'n8n:write',
      openapi: takeOperation,
      handle: async (asked) => (await import('./take-backup.ts')).takeBackup(deps, asked),
    },
  ];
}

const takeOperation = async () => ({
  operationId: 'n8nTakeBackup',
  summary: 'Backs up a whole n8n, and tells how far it is',
  description:
    'Calls n8n_backup_instance. Server-sent events: `progress` with { progress, total, message }, then `done` with the answer of the tool, or `failed` with { code, message, confirm, by }: `confirm` asks you to repeat the request with that token, `by: person` to let a person approve it first. Closing the connection cancels it.',
  tags: ['n8n'],
  requestBody: {
    content: {
      'application/json': {
        schema: await bodyOf(),
      },
    },
  },
  responses: {
    200: { description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } },
  },
});

async function bodyOf(): Promise<object> {
  const [{ z }, { takeBody }] = await Promise.all([import('zod'), import('./shapes.ts')]);
  const { $schema: _, ...described } = z.toJSONSchema(takeBody, { io: 'input' });
  return described;
}
