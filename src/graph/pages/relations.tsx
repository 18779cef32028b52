import { useSignal } from '@preact/signals';
import { useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Action, Search } from '../../console/client/ui/fields.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import { AddRelation } from './add-relation.tsx';
import { isNarrow } from './narrow.ts';
import type { Entity, Relation } from './shapes.ts';
import { inUrl, trailIn, walked } from './trail.ts';

const HEIGHT = 44;
/** What one can do stands below the relation. */
const NARROW_HEIGHT = 72;
const MANY = 10;

interface RelationsProps {
  readonly entity: Entity;
  readonly mayWrite: boolean;
  readonly reload: () => Promise<void>;
  /** Loads more of them, if that is possible. */
  readonly all: (() => void) | undefined;
}

/** The relations of an entity, in both directions. */
export function Relations({ entity, mayWrite, reload, all }: RelationsProps) {
  const filter = useSignal('');
  const { name, relations, more_relations } = entity;
  const wanted = filter.value.toLowerCase();
  const shown = relations.filter(({ from, type, to }) => `${from}\n${type}\n${to}`.toLowerCase().includes(wanted));
  return (
    <section class="card">
      <h2>Relations</h2>
      {relations.length === 0 && <p class="quiet">It is not connected to anything.</p>}
      {relations.length > MANY && (
        <div class="bar">
          <Search
            label="Filter these relations"
            value={filter.value}
            pauseMs={0}
            onSearch={(text) => (filter.value = text)}
          />
        </div>
      )}
      {shown.length > 0 && (
        <Rows
          label="Relations"
          items={shown}
          keyOf={(one) => JSON.stringify([one.from, one.type, one.to, one.valid_from])}
          height={isNarrow() && mayWrite ? NARROW_HEIGHT : HEIGHT}
          row={(one) => <Row relation={one} name={name} mayWrite={mayWrite} reload={reload} />}
        />
      )}
      {shown.length === 0 && relations.length > 0 && <p class="quiet">None of them fits.</p>}
      {more_relations && (
        <p class="quiet">
          The first {count(relations.length)} are listed.{' '}
          {all && (
            <button type="button" class="plain" onClick={all}>
              List up to 2,000
            </button>
          )}
        </p>
      )}
      {mayWrite && <AddRelation name={name} reload={reload} />}
    </section>
  );
}

interface RowProps {
  readonly relation: Relation;
  readonly name: string;
  readonly mayWrite: boolean;
  readonly reload: () => Promise<void>;
}

function Row({ relation: { from, type, to, valid_to }, name, mayWrite, reload }: RowProps) {
  const [{ trail, as_of }] = useQuery();
  const isOut = from === name;
  const other = isOut ? to : from;
  const way = inUrl(walked(trailIn(trail), name, other));
  const which = { relations: [{ from, type, to }] };
  const done = async (tool: string, title: string, yes: string) => {
    if (await callAsking(tool, which, { title, yes })) await reload();
  };
  return (
    <div class="relation">
      <span class="words">
        {isOut ? '→ ' : '← '}
        <span class="quiet">
          <bdi>{type}</bdi>
          {isOut ? ' ' : ' by '}
        </span>
        <a
          href={linkTo('graph', [], {
            entity: other,
            ...(as_of !== undefined && { as_of }),
            ...(way !== undefined && { trail: way }),
          })}
        >
          <bdi>{other}</bdi>
        </a>
        {valid_to !== undefined && <small class="warn"> until {new Date(valid_to).toLocaleDateString()}</small>}
      </span>
      {mayWrite && (
        <span class="acts">
          <Action kind="plain" run={() => done('graph_end', 'Is this no longer true?', 'It is over')}>
            No longer true
          </Action>
          <Action
            kind="plain"
            run={() => done('graph_delete_relations', 'Delete this relation?', 'Delete it for good')}
          >
            Delete …
          </Action>
        </span>
      )}
    </div>
  );
}
