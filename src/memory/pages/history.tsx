import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { Diff } from '../../console/client/ui/diff.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import type { Version, Whole } from './shapes.ts';

/** Every version, and what changed from one to the next. */
export function History({ memory }: { memory: Whole }) {
  const compared = useSignal<string | undefined>(undefined);
  const { versions, older = 0 } = memory;
  if (versions.length < 2) return null;
  return (
    <section class="card">
      <h2>{versions.length + older} versions</h2>
      <ol class="versions">
        {versions.map((version, index) => {
          const before = versions[index + 1];
          const isOpen = compared.value === version.id;
          return (
            <li key={version.id}>
              <div class="version">
                {version.id === memory.id ? (
                  <b>This one</b>
                ) : (
                  <a href={linkTo('memory', [version.id])}>{index === 0 ? 'The current one' : 'Open'}</a>
                )}{' '}
                <span class="quiet">
                  <Ago at={version.recorded_at} />
                  {version.valid_to !== undefined && (
                    <>
                      , true until <Ago at={version.valid_to} />
                    </>
                  )}
                </span>
                {before && (
                  <button
                    type="button"
                    class="plain"
                    aria-expanded={isOpen}
                    onClick={() => (compared.value = isOpen ? undefined : version.id)}
                  >
                    What changed
                  </button>
                )}
              </div>
              <p class="said">
                <bdi>{version.text}</bdi>
              </p>
              {isOpen && before && <Changes before={before} after={version} />}
            </li>
          );
        })}
      </ol>
      {older > 0 && <p class="quiet">{older} older versions are not listed.</p>}
    </section>
  );
}

function Changes({ before, after }: { before: Version; after: Version }) {
  const data = useData(
    (signal) =>
      Promise.all([before, after].map(({ id }) => get<Whole>(`api/v1/memories/${encodeURIComponent(id)}`, signal))),
    [before.id, after.id],
  );
  return (
    <Loaded data={data} waiting="Reading both versions …">
      {([old, next]) =>
        old &&
        next && (
          <>
            <Diff label="Text" before={old.text} after={next.text} names={['Before', 'After']} />
            {JSON.stringify(labelsOf(old)) !== JSON.stringify(labelsOf(next)) && (
              <Diff
                label="Tags and metadata"
                before={labelsOf(old)}
                after={labelsOf(next)}
                names={['Before', 'After']}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

const labelsOf = ({ tags = [], metadata = {} }: Whole) => ({ tags, metadata });
