import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../../kernel/errors.ts';
import { errorFrom } from './http-errors.ts';
import type { N8nHttp } from './http.ts';
import { type Page, readAll, readPage } from './paging.ts';
import { tagShape, versionShape, type Workflow, type WorkflowVersion, workflowShape } from './shapes.ts';
import { z } from 'zod';

export interface WorkflowFilter {
  active?: boolean;
  name?: string;
  /** Names. A workflow must have all of these tags. */
  tags?: readonly string[];
  projectId?: string;
  limit?: number;
  cursor?: string;
  pinData?: boolean;
}

/** The keys that n8n accepts when a workflow is saved. It refuses any other. */
export type WorkflowBody = Pick<Workflow, 'name' | 'nodes' | 'connections'> & {
  settings: Record<string, unknown>;
  description?: string;
  staticData?: unknown;
  pinData?: Record<string, unknown>;
  /** Frames around nodes. They refer to nodes by id. */
  nodeGroups?: unknown[];
  /** Moves it to this folder of its project; null: to the top level. */
  parentFolderId?: string | null;
};

/** The result of a save. n8n may save the draft but refuse to publish it. */
export interface Saved {
  readonly workflow: Workflow;
  readonly publishRefused?: AppError;
}

const UNPUBLISH_MS = 15_000;

export function workflowsOf(http: N8nHttp) {
  const at = (id: string, rest = '') => `/api/v1/workflows/${encodeURIComponent(id)}${rest}`;
  const one = async (method: string, path: string, body?: unknown, signal?: AbortSignal, query = {}) =>
    workflowShape.parse(
      await http.ask(method, path, { query, ...(body !== undefined && { body }), ...(signal && { signal }) }),
    );
  const queryOf = ({ tags, pinData, ...filter }: WorkflowFilter) => ({
    ...filter,
    ...(tags && tags.length > 0 && { tags: tags.join(',') }),
    excludePinnedData: pinData ? undefined : true,
  });

  const get = (id: string, signal?: AbortSignal) => one('GET', at(id), undefined, signal);

  return {
    page: (filter: WorkflowFilter, signal?: AbortSignal): Promise<Page<Workflow>> =>
      readPage(http, '/api/v1/workflows', workflowShape, queryOf(filter), signal),
    all: (filter: WorkflowFilter = {}, signal?: AbortSignal) =>
      readAll(http, '/api/v1/workflows', workflowShape, queryOf(filter), signal),
    get,
    /** n8n accepts no description at creation, so a second request sets it. */
    async create({ description, ...body }: WorkflowBody, signal?: AbortSignal): Promise<Workflow> {
      const made = await one('POST', '/api/v1/workflows', body, signal);
      if (description === undefined) return made;
      try {
        return await one('PUT', at(made.id), { ...body, description }, signal);
      } catch (error) {
        const { code, message } = toAppError(error);
        throw new AppError(code, `The workflow was created (id ${made.id}), but without its description: ${message}`, {
          cause: error,
        });
      }
    },
    /** Saves the draft. The published version changes only with `publish`. */
    async update(id: string, body: WorkflowBody, publish: boolean, signal?: AbortSignal): Promise<Saved> {
      const answer = await http.send('PUT', at(id), {
        body,
        query: { publishIfActive: publish },
        ...(signal && { signal }),
      });
      if (answer.status >= 200 && answer.status < 300) return { workflow: workflowShape.parse(answer.body) };
      const refused = () => http.refusal(answer, 'PUT', at(id));
      if (answer.status !== 403) throw await refused();
      // The key may not publish. Read the workflow to find out whether n8n saved the draft before it refused.
      const now = await get(id, signal);
      if (!isSame(now, body)) throw await refused();
      return { workflow: now, publishRefused: errorFrom(http.address, answer, 'PUT', at(id)) };
    },
    /** Publishes the given version, by default the draft. */
    publish: (id: string, signal?: AbortSignal, version?: string) =>
      one('POST', at(id, '/publish'), { ...(version !== undefined && { versionId: version }) }, signal),
    unpublish: (id: string, signal?: AbortSignal) => one('POST', at(id, '/unpublish'), {}, signal),
    archive: (id: string, signal?: AbortSignal) => one('POST', at(id, '/archive'), {}, signal),
    unarchive: (id: string, signal?: AbortSignal) => one('POST', at(id, '/unarchive'), {}, signal),
    /**
     * n8n refuses to delete a published workflow: unpublishes it, then retries until n8n has finished that. If n8n is still
     * publishing it, a deletion can fail with 500.
     */
    async delete(id: string, signal?: AbortSignal): Promise<void> {
      const until = Date.now() + UNPUBLISH_MS;
      for (let unpublished = false; ; ) {
        const answer = await http.send('DELETE', at(id), signal ? { signal } : {});
        if (answer.status >= 200 && answer.status < 300) return;
        const isBusy = answer.status === 409 || (unpublished && answer.status === 500);
        if (!isBusy || Date.now() > until) throw await http.refusal(answer, 'DELETE', at(id));
        if (!unpublished) await http.send('POST', at(id, '/unpublish'), { body: {}, ...(signal && { signal }) });
        unpublished = true;
        await delay(100, undefined, signal ? { signal } : {});
      }
    },
    async setTags(id: string, tags: readonly string[], signal?: AbortSignal) {
      const body = tags.map((tag) => ({ id: tag }));
      return z.array(tagShape).parse(await http.ask('PUT', at(id, '/tags'), { body, ...(signal && { signal }) }));
    },
    /** To the top level of another project. n8n takes a live workflow down and publishes it again. */
    async transfer(id: string, destinationProjectId: string): Promise<void> {
      await http.ask('PUT', at(id, '/transfer'), { body: { destinationProjectId } });
    },
    history: (
      id: string,
      query: { limit?: number; cursor?: string },
      signal?: AbortSignal,
    ): Promise<Page<WorkflowVersion>> => readPage(http, at(id, '/history'), versionShape, query, signal),
    async version(id: string, version: string, signal?: AbortSignal) {
      const body = await http.ask('GET', at(id, `/versions/${encodeURIComponent(version)}`), signal ? { signal } : {});
      return versionShape.extend(workflowShape.pick({ nodes: true, connections: true }).shape).parse(body);
    },
  };
}

function isSame(now: Workflow, { name, nodes, connections }: WorkflowBody): boolean {
  const essence = (workflow: Pick<Workflow, 'name' | 'nodes' | 'connections'>) =>
    JSON.stringify([
      workflow.name,
      workflow.nodes.map((node) => [node.name, node.type, node.parameters]),
      workflow.connections,
    ]);
  return essence(now) === essence({ name, nodes, connections });
}
