import type { ErrorDigest } from './digest.ts';

/** One execution that failed. */
export interface Failure {
  readonly id: string;
  readonly workflow: string;
  readonly name?: string | undefined;
  readonly at: string;
  /** Undefined if the execution was not read, or n8n kept no data. */
  readonly error?: ErrorDigest | undefined;
  readonly crashed: boolean;
}

export interface FailureGroup {
  readonly workflow: string;
  readonly name?: string;
  readonly node?: string;
  readonly type?: string;
  readonly cause: string;
  readonly http_status?: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
  /** Id of the newest execution. */
  readonly example: string;
}

/** Groups failures by workflow, node and cause: the most frequent first, then the newest. */
export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const groups = Map.groupBy(failures, ({ workflow, error, crashed }) =>
    JSON.stringify([workflow, error?.node ?? '', error ? causeKey(error) : crashed ? 'crashed' : 'unknown']),
  );
  return [...groups.values()]
    .map((same) => {
      const sorted = same.toSorted((a, b) => (a.at < b.at ? 1 : -1));
      const newest = sorted[0] as Failure;
      const { error, name } = newest;
      return {
        workflow: newest.workflow,
        ...(name !== undefined && { name }),
        ...(error?.node !== undefined && { node: error.node }),
        ...(error?.type !== undefined && { type: error.type }),
        cause: error
          ? causeOf(error)
          : newest.crashed
            ? 'n8n stopped while it ran'
            : 'unknown: n8n kept no data, or the execution was not read',
        ...(error?.http_status !== undefined && { http_status: error.http_status }),
        count: same.length,
        first: (sorted.at(-1) as Failure).at,
        last: newest.at,
        example: newest.id,
      };
    })
    .sort((a, b) => b.count - a.count || (a.last < b.last ? 1 : -1));
}

const LONGEST = 200;

function causeOf({ message, description }: ErrorDigest): string {
  const said = description !== undefined && message.length < 40 ? `${message}: ${description}` : message;
  return said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said;
}

/** The message without what varies: numbers, ids, quoted values, addresses. */
export function causeKey({ message, http_status }: Pick<ErrorDigest, 'message' | 'http_status'>): string {
  const bare = message
    .replaceAll(/https?:\/\/\S+/g, '<url>')
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '<value>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27,}\b/gi, '<id>')
    .replaceAll(/\b(?=\w*\d)[0-9a-z]{12,}\b/gi, '<id>')
    .replaceAll(/\d+/g, '<n>')
    .toLowerCase()
    .trim();
  return `${http_status ?? ''} ${bare}`;
}
