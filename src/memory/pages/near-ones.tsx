import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import type { Near } from './shapes.ts';

/** What repeats or contradicts a memory. Silent if nothing does. */
export function NearOnes({ id }: { id: string }) {
  const { value } = useData<Near>((signal) => get(`api/v1/memories/${encodeURIComponent(id)}/near`, signal), [id]);
  const { duplicate_of, contradicts = [] } = value ?? {};
  if (duplicate_of === undefined && contradicts.length === 0) return null;
  return (
    <section class="card">
      <h2>What does not fit together</h2>
      <ul>
        {duplicate_of !== undefined && (
          <li>
            <a href={linkTo('memory', [duplicate_of])}>Another memory</a> says the same.
          </li>
        )}
        {contradicts.map((other) => (
          <li key={other.id}>
            <a href={linkTo('memory', [other.id])}>
              <bdi>{other.text}</bdi>
            </a>{' '}
            says something else: <bdi>{other.why}</bdi>.
          </li>
        ))}
      </ul>
      <p class="quiet">Edit or forget what is outdated. Sluice leaves that to you.</p>
    </section>
  );
}
