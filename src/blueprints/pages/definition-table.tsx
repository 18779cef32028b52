import { linkTo } from '../../console/client/pages.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import type { Listed, Listing } from './shapes.ts';
import { counted, originWords, toneOf } from './words.ts';

interface Props {
  readonly listing: Listing;
  readonly kind: 'blueprint' | 'recipe';
  readonly query: string;
}

const MOST = 300;

export function DefinitionTable({ listing, kind, query }: Props) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const own = listing.definitions.filter((one) => one.kind === kind);
  const found = own.filter(({ name, description = '', origin, file = '' }) => {
    const text = `${name} ${description} ${originWords(origin)} ${file}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      {listing.problems?.map((problem) => (
        <p class="banner" key={problem}>
          <bdi>{problem}</bdi>
        </p>
      ))}
      {found.length === 0 ? (
        <Nothing kind={kind} isSearch={own.length > 0} />
      ) : (
        <div class="definitions">
          <Table
            label={kind === 'recipe' ? 'Recipes' : 'Blueprints'}
            rows={found.slice(0, MOST)}
            keyOf={keyOf}
            columns={columns}
          />
        </div>
      )}
      {(found.length > MOST || listing.more !== undefined) && (
        <p class="quiet">
          There are {found.length - Math.min(MOST, found.length) + (listing.more ?? 0)} more. Search to find them.
        </p>
      )}
    </>
  );
}

const keyOf = ({ origin, file = '', name }: Listed) => `${origin} ${file} ${name}`;

const columns = [
  {
    title: 'Name',
    cell: ({ name, description }: Listed) => (
      <div>
        <a href={linkTo('blueprints', [name])}>
          <bdi>{name}</bdi>
        </a>
        {description !== undefined && (
          <small class="quiet clamp">
            <bdi>{description}</bdi>
          </small>
        )}
      </div>
    ),
  },
  {
    title: 'State',
    cell: (one: Listed) => (
      <div title={one.problem}>
        <Standing {...one} />
      </div>
    ),
  },
  {
    title: 'Comes from',
    cell: ({ origin, file, saved_by }: Listed) => (
      <div title={file}>
        {originWords(origin)}
        <small class="quiet clamp">
          <bdi>{origin === 'store' ? saved_by : origin === 'shipped' ? undefined : file?.split('/').at(-1)}</bdi>
        </small>
      </div>
    ),
  },
  {
    title: 'Schedule',
    cell: ({ schedules, schedule }: Listed) =>
      schedules === undefined ? (
        <span class="quiet">{schedule === undefined ? '–' : 'not scheduled'}</span>
      ) : (
        counted(schedules, 'schedule')
      ),
  },
  {
    title: 'Last run',
    cell: ({ last }: Listed) =>
      last ? (
        <a class="calm" href={linkTo('blueprints', ['runs', last.run])}>
          <State of={last.state} tone={toneOf(last.state)} /> <Ago at={last.created_at} />
        </a>
      ) : (
        <span class="quiet">never</span>
      ),
  },
];

function Standing({ origin, errors, warnings }: Listed) {
  // Nothing is wrong with what comes with Sluice: a service that it uses is not there, or may not be changed.
  if (origin === 'shipped' && errors > 0) return <State of="off">needs set-up</State>;
  if (errors > 0) return <State of="error">{counted(errors, 'error')}</State>;
  if (warnings > 0) return <State of="warning">{counted(warnings, 'warning')}</State>;
  return <State of="ok">valid</State>;
}

function Nothing({ kind, isSearch }: { kind: string; isSearch: boolean }) {
  if (isSearch) return <Empty title="Nothing has these words">Search for less.</Empty>;
  if (kind === 'recipe')
    return (
      <Empty title="No recipes yet">
        Let your assistant do something once. Then ask it to save that as a recipe: it can be repeated with other
        values.
      </Empty>
    );
  return (
    <Empty title="No blueprints yet">
      Press New blueprint, or put YAML files into a folder that sluice.yaml names in <code>blueprints.folders</code>.
    </Empty>
  );
}
