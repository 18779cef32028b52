import { linkTo } from '../../console/client/pages.ts';
import { Ago, count } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import type { Listed } from './shapes.ts';
import { validityOf, whyWords } from './words.ts';

const HEIGHT = 66;

interface FoundProps {
  readonly items: readonly Listed[];
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly note: string | undefined;
  readonly isSearch: boolean;
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

/** The memories that were found, or the newest. */
export function Found({ items, hasMore, more, note, isSearch, isFiltered, clear }: FoundProps) {
  if (items.length === 0) {
    return isFiltered ? (
      <Empty title="No memory fits">
        Try other words, or another time.{' '}
        <button type="button" class="plain" onClick={clear}>
          Clear the search and all filters
        </button>
      </Empty>
    ) : (
      <Empty title="Nothing is remembered yet">
        Tell your assistant “remember that …”, add a memory here, or run <code>sluice memory import notes.md</code>.
      </Empty>
    );
  }
  const many = `${count(items.length)}${hasMore ? ' and more' : ''}`;
  return (
    <>
      {note !== undefined && <p class="banner">{note}</p>}
      <p class="quiet" role="status">
        {isSearch ? `${many} found, the best first.` : `${many}, the newest first.`}
      </p>
      <Rows
        label="Memories"
        items={items}
        keyOf={({ id }) => id}
        height={HEIGHT}
        onEnd={more}
        row={(memory) => <Row memory={memory} />}
      />
    </>
  );
}

function Row({ memory }: { memory: Listed }) {
  const validity = validityOf(memory, Date.now());
  const why = memory.why && whyWords(memory.why);
  return (
    <div class="remembered">
      <a href={linkTo('memory', [memory.id])}>
        <bdi>{memory.text}</bdi>
      </a>
      <small class="quiet">
        {memory.pinned && <b>pinned · </b>}
        <bdi>{memory.namespace}</bdi>
        {' · '}
        <Ago at={memory.recorded_at} />
        {validity !== undefined && <span class="warn"> · {validity}</span>}
        {memory.recalls !== undefined && ` · recalled ${memory.recalls}×`}
        {(memory.tags ?? []).slice(0, 6).map((tag) => (
          <bdi key={tag} class="tag">
            {tag}
          </bdi>
        ))}
        {why !== undefined && why !== '' && <bdi> · {why}</bdi>}
      </small>
    </div>
  );
}
