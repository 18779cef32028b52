import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { Diff } from '../../console/client/ui/diff.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import type { ShownVersions } from '../routes/shapes.ts';

const FIRST = 100;

interface ComparisonProps {
  readonly instance: string;
  readonly id: string;
  readonly before: string;
  readonly after: string;
  readonly names: readonly [string, string];
}

/** Two states of a workflow, in words and side by side. */
export function Comparison({ instance, id, before, after, names }: ComparisonProps) {
  const data = useData((signal) => compared(instance, id, before, after, signal), [instance, id, before, after]);
  return (
    <section class="card" aria-label="Comparison">
      <h2>What differs</h2>
      <Loaded data={data} waiting="Comparing …">
        {({ changes, before: old, after: now, hidesSecrets }) => (
          <>
            <ChangeList changes={changes} most={FIRST} />
            {hidesSecrets && <p class="quiet">Something that looks like a secret is not shown.</p>}
            <Diff label="Both sides" before={text(old.content)} after={text(now.content)} names={names} />
          </>
        )}
      </Loaded>
    </section>
  );
}

export function ChangeList({ changes, most }: { changes: readonly string[]; most: number }) {
  return (
    <ul class="n8n-changes">
      {changes.slice(0, most).map((change, index) => (
        <li key={index}>
          <bdi>{change}</bdi>
        </li>
      ))}
      {changes.length > most && <li>… and {changes.length - most} more</li>}
    </ul>
  );
}

/** From before to after. */
export function compared(
  instance: string,
  workflow: string,
  before: string,
  after: string,
  signal?: AbortSignal,
): Promise<ShownVersions> {
  const query = new URLSearchParams({ instance, workflow, before, after });
  return get<ShownVersions>(`api/v1/n8n/version-diff?${query.toString()}`, signal);
}

const text = (content: unknown): string => JSON.stringify(content, null, 2);
