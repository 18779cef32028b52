import { z } from 'zod';
import type { AppError } from '../../kernel/errors.ts';
import type { N8nHttp } from './http.ts';

const changeShape = z.looseObject({
  file: z.string(),
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string(),
  location: z.string(),
  conflict: z.boolean(),
  publishingError: z.string().optional(),
});

export type SourceChange = z.output<typeof changeShape>;

/** n8n changed nothing, because these changes conflict. */
export interface Conflicted {
  readonly conflicts: SourceChange[];
  readonly error: AppError;
}

/** git has to be asked, and n8n imports everything before it answers. */
const GIT_MS = 120_000;

export function sourceControlOf(http: N8nHttp) {
  const timeoutMs = Math.max(GIT_MS, http.address.timeoutMs);

  /** A refusal because of conflicts lists them: in a pull it is the whole list, in a push it is in `conflicts`. */
  async function change(path: string, body: object, signal?: AbortSignal): Promise<SourceChange[] | Conflicted> {
    const answer = await http.send('POST', path, { body, timeoutMs, ...(signal && { signal }) });
    const found = listShape.safeParse(answer.body);
    if (answer.status >= 200 && answer.status < 300) return listShape.parse(answer.body);
    const error = await http.refusal(answer, 'POST', path);
    if (answer.status !== 409 || !found.success) throw error;
    return { conflicts: found.data, error };
  }

  return {
    async changes(direction: 'push' | 'pull', signal?: AbortSignal): Promise<SourceChange[]> {
      const ask = { query: { direction }, timeoutMs, ...(signal && { signal }) };
      return listShape.parse(await http.ask('GET', '/api/v1/source-control/status', ask));
    },
    pull: (body: { force: boolean; autoPublish: 'none' | 'all' | 'published' }, signal?: AbortSignal) =>
      change('/api/v1/source-control/pull', body, signal),
    push: (
      body: { commitMessage: string; fileNames: readonly { id: string; type: string }[]; force: boolean },
      signal?: AbortSignal,
    ) => change('/api/v1/source-control/push', body, signal),
  };
}

/** n8n wraps the list differently in each answer. */
const listShape = z.union([
  z.array(changeShape),
  z.object({ data: z.array(changeShape) }).transform(({ data }) => data),
  z.looseObject({ conflicts: z.array(changeShape) }).transform(({ conflicts }) => conflicts),
]);
