import { linkTo } from '../client/pages.ts';
import { Ago } from '../client/ui/ago.tsx';
import { waiting } from '../client/waiting.ts';

const MOST = 5;

/** What waits for a person; nothing if nothing does. */
export function NeedsYou() {
  const items = waiting.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section class="card needs-you">
      <h2>Waits for you</h2>
      <ul class="plain">
        {items.slice(0, MOST).map(({ part, id, title, since }) => (
          <li key={`${part} ${id}`}>
            <bdi>{title}</bdi>{' '}
            <span class="quiet">
              <Ago at={since} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={linkTo('approvals')}>{items.length > MOST ? `Decide on all ${items.length}` : 'Look and decide'}</a>
      </p>
    </section>
  );
}
