import { call, Failed } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import type { Drawing } from '../drawing/shapes.ts';
import type { Backup, Version } from './answers.ts';
import { Comparison } from './comparison.tsx';
import { doing } from './doing.ts';
import { history, type Past } from './history.ts';
import type { Instance } from './instances.tsx';
import { goBack } from './going-back.tsx';

const EVERY_MS = 15_000;

interface VersionsProps {
  readonly instance: Instance;
  readonly id: string;
  /** As it was read last; undefined before that, or while n8n is away. */
  readonly drawing: Drawing | undefined;
  /** n8n says that there is no such workflow. */
  readonly isGone: boolean;
  readonly changed: () => Promise<void>;
}

/** Every state of a workflow that is kept, in n8n or by Sluice: to compare and to go back to. */
export function Versions({ instance: { name, state }, id, drawing, isGone, changed }: VersionsProps) {
  const [query, change] = useQuery();
  const data = useData((signal) => kept(name, id, signal), [name, id, state, drawing?.workflow.version], EVERY_MS);
  const hasDraft = drawing !== undefined && !isGone;
  const present = [...(hasDraft ? ['draft'] : []), ...(hasDraft && drawing.workflow.active ? ['published'] : [])];
  const reload = async () => {
    await Promise.all([data.reload(), changed()]);
  };
  return (
    <>
      {may('n8n:write') && hasDraft && (
        <div class="bar">
          <button type="button" class="main" onClick={() => void backUp(name, id, data.reload)}>
            Back up now
          </button>
        </div>
      )}
      <Loaded data={data} waiting="Reading versions and backups …">
        {({ past, notes, workflow }) => {
          const { before, after = present[0] ?? past.find((one) => one.id !== before)?.id ?? '' } = query;
          return (
            <>
              {notes.map((note) => (
                <p key={note} class="warn">
                  <bdi>{note}</bdi>
                </p>
              ))}
              {past.length === 0 ? (
                <Empty title="No versions and no backups">n8n keeps a version each time the workflow is saved.</Empty>
              ) : (
                <>
                  <Sides past={past} present={present} before={before} after={after} change={change} />
                  {before !== undefined && before === after && (
                    <p class="quiet">Choose two different states to compare.</p>
                  )}
                  {before !== undefined && after !== '' && before !== after && (
                    <Comparison
                      instance={name}
                      id={id}
                      before={before}
                      after={after}
                      names={[nameOf(past, before), nameOf(past, after)]}
                    />
                  )}
                  <Table
                    label="Versions and backups"
                    rows={past}
                    keyOf={({ id: one }) => one}
                    columns={[
                      { title: 'When', cell: ({ at }) => (at === undefined ? 'unknown' : <Ago at={at} />) },
                      { title: 'What', cell: ({ what }) => <bdi>{what}</bdi> },
                      { title: 'By', cell: ({ by }) => <bdi>{by}</bdi> },
                      {
                        title: 'Do',
                        cell: (one) => (
                          <div class="actions">
                            {!one.isDraft && hasDraft && (
                              <button
                                type="button"
                                class="plain"
                                onClick={() => change({ before: one.id, after: undefined }, true)}
                              >
                                Compare with the draft
                              </button>
                            )}
                            {!one.isDraft && may('n8n:write') && (
                              <button
                                type="button"
                                class="plain"
                                onClick={() =>
                                  void goBack({
                                    instance: name,
                                    id,
                                    name: workflow ?? id,
                                    past: one,
                                    isGone,
                                    draft: drawing?.workflow.version,
                                    changed: reload,
                                  })
                                }
                              >
                                Restore …
                              </button>
                            )}
                          </div>
                        ),
                      },
                    ]}
                  />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface SidesProps {
  readonly past: readonly Past[];
  /** What n8n has now: the draft, and what is live. */
  readonly present: readonly string[];
  readonly before: string | undefined;
  readonly after: string;
  readonly change: (next: Record<string, string | undefined>) => void;
}

function Sides({ past, present, before, after, change }: SidesProps) {
  const options = [...present, ...past.map(({ id }) => id)].map((id) => [id, nameOf(past, id)] as const);
  return (
    <div class="bar">
      <label class="choice">
        <span>Compare</span>
        <select value={before ?? ''} onChange={(event) => change({ before: event.currentTarget.value })}>
          <option value="">Choose …</option>
          {options.map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <span>with</span>
        <select value={after} onChange={(event) => change({ after: event.currentTarget.value })}>
          {options.map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function nameOf(past: readonly Past[], id: string): string {
  if (id === 'draft') return 'The draft';
  if (id === 'published') return 'What is live';
  const one = past.find((each) => each.id === id);
  if (!one) return id;
  return `${one.what}${one.at === undefined ? '' : `, ${new Date(one.at).toLocaleString()}`}`;
}

interface Kept {
  readonly past: readonly Past[];
  readonly workflow: string | undefined;
  readonly notes: readonly string[];
}

/** One of the two may fail: n8n is away, or the workflow was deleted, or it has no backups yet. */
async function kept(instance: string, id: string, signal: AbortSignal): Promise<Kept> {
  const [versions, backups] = await Promise.all([
    orFailed(
      call<{ versions: Version[]; workflow: { name: string } }>(
        'n8n_list_versions',
        { instance, id, limit: 100 },
        { signal },
      ),
    ),
    orFailed(
      call<{ backups: Backup[]; note?: string }>(
        'n8n_list_backups',
        { instance, workflow: id, limit: 100 },
        { signal },
      ),
    ),
  ]);
  const isOnlyNone = backups instanceof Failed && backups.code === 'not_found';
  if (versions instanceof Failed && backups instanceof Failed) throw versions;
  const notes = [versions, backups].flatMap((one) =>
    one instanceof Failed && !(one === backups && isOnlyNone) ? [one.message] : [],
  );
  const [saved, copies] = [
    versions instanceof Failed ? [] : versions.versions,
    backups instanceof Failed ? [] : backups.backups,
  ];
  return {
    past: history(saved, copies),
    workflow: versions instanceof Failed ? copies[0]?.name : versions.workflow.name,
    notes: [...notes, ...(backups instanceof Failed || backups.note === undefined ? [] : [backups.note])],
  };
}

const orFailed = <T,>(asked: Promise<T>): Promise<T | Failed> =>
  asked.catch((error: unknown) => {
    if (error instanceof Failed) return error;
    throw error;
  });

function backUp(instance: string, id: string, changed: () => Promise<void>): Promise<void> {
  return doing(async () => {
    const done = await callAsking<{ backups: { unchanged?: boolean }[]; failed?: { error: string }[] }>(
      'n8n_backup_workflow',
      { instance, id },
      { title: 'Back up this workflow?', yes: 'Back up' },
    );
    if (!done) return undefined;
    await changed();
    const { backups, failed } = done;
    if (failed?.[0]) return failed[0].error;
    return backups[0]?.unchanged ? 'Nothing changed since the last backup, so there is no new one.' : 'Backed up.';
  });
}
