import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { usePaged } from '../../console/client/paged.ts';
import { Ago, count } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import type { Entity, Observation } from './shapes.ts';

const LONG = 600;

interface ObservationsProps {
  readonly entity: Entity;
  readonly asOf: string | undefined;
  readonly mayWrite: boolean;
  readonly reload: () => Promise<void>;
}

/** The facts about an entity. */
export function Observations({ entity, asOf, mayWrite, reload }: ObservationsProps) {
  const { name } = entity;
  const paged = usePaged<Observation, { items: readonly Observation[]; next?: string | undefined }>(
    async (after, signal) => {
      if (after === undefined) return { items: entity.observations, next: entity.next };
      const asked = { name, after, relations: '0', ...(asOf !== undefined && { as_of: asOf }) };
      const { observations, next } = await get<Entity>(`api/v1/graph-entity?${new URLSearchParams(asked)}`, signal);
      return { items: observations, next };
    },
    [entity],
  );
  const text = useSignal('');

  async function add(): Promise<void> {
    const given = { observations: [{ entity: name, contents: [text.value] }] };
    if (!(await callAsking('graph_add_observations', given, { title: 'Add this fact?', yes: 'Add' }))) return;
    text.value = '';
    await reload();
  }

  return (
    <section class="card">
      <h2>What is known</h2>
      {paged.first.value?.items.length === 0 && <p class="quiet">No facts yet.</p>}
      <ul class="known">
        {paged.items.map((one) => (
          <li key={one.id}>
            <Fact observation={one} entity={name} mayWrite={mayWrite} reload={reload} />
          </li>
        ))}
      </ul>
      {paged.hasMore && (
        <button type="button" onClick={paged.more}>
          Show more of {count(entity.counts.observations)}
        </button>
      )}
      {mayWrite && (
        <div class="bar">
          <input
            type="text"
            class="search"
            aria-label="A new fact"
            placeholder="Another fact, as a short text"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <Action run={add} disabled={text.value.trim() === ''}>
            Add the fact
          </Action>
        </div>
      )}
    </section>
  );
}

interface FactProps {
  readonly observation: Observation;
  readonly entity: string;
  readonly mayWrite: boolean;
  readonly reload: () => Promise<void>;
}

function Fact({ observation: { id, text, recorded_at, valid_to }, entity, mayWrite, reload }: FactProps) {
  const whole = useSignal(false);
  const isCut = text.length > LONG && !whole.value;
  const which = [{ entity, observations: [id] }];
  const done = async (tool: string, args: object, title: string, yes: string) => {
    if (await callAsking(tool, args, { title, yes })) await reload();
  };
  return (
    <>
      <bdi>{isCut ? `${text.slice(0, LONG)}…` : text}</bdi>{' '}
      {isCut && (
        <button type="button" class="plain" onClick={() => (whole.value = true)}>
          {count(text.length)} characters
        </button>
      )}
      <small class="quiet">
        <Ago at={recorded_at} />
        {valid_to !== undefined && (
          <>
            , until <Ago at={valid_to} />
          </>
        )}
      </small>
      {mayWrite && (
        <span class="acts">
          <Action
            kind="plain"
            run={() => done('graph_end', { observations: which }, 'Is this no longer true?', 'It is over')}
          >
            No longer true
          </Action>
          <Action
            kind="plain"
            run={() =>
              done('graph_delete_observations', { deletions: which }, 'Delete this fact?', 'Delete it for good')
            }
          >
            Delete …
          </Action>
        </span>
      )}
    </>
  );
}
