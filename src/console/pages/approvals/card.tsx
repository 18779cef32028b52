import { useSignal } from '@preact/signals';
import { linkTo } from '../../client/pages.ts';
import { Ago } from '../../client/ui/ago.tsx';
import { Action } from '../../client/ui/fields.tsx';
import { safeHref } from '../../client/ui/link.tsx';
import { Tree } from '../../client/ui/tree.tsx';
import type { WaitingItem } from '../../client/waiting.ts';
import { decide } from './decide.tsx';

const kinds: ReadonlyMap<string, string> = new Map([
  ['confirmation', 'Call'],
  ['approval', 'Blueprint'],
  ['definition', 'Changed tool'],
  ['sign-in', 'Sign-in'],
]);

/** One thing that waits: what is asked, who asks, how long there is, and what one can do. */
export function Card({ item }: { item: WaitingItem }) {
  const { kind, title, detail, by, since, expires, data, page, why, decides, refuses } = item;
  const link = safeHref(item.link);
  return (
    <li class="card">
      <header>
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <span class="quiet">{kinds.get(kind) ?? kind}</span>
      </header>
      {detail !== undefined && (
        <p class="asked">
          <Long text={detail} />
        </p>
      )}
      <p class="quiet">
        {by !== undefined ? (
          <span>
            Asked by <bdi>{by}</bdi> <Ago at={since} />
          </span>
        ) : (
          since !== undefined && (
            <span>
              Appeared <Ago at={since} />
            </span>
          )
        )}
        {expires !== undefined && (
          <span class={isSoon(expires) ? 'warn' : ''}>
            Expires <Ago at={expires} />
          </span>
        )}
      </p>
      <Arguments data={data} />
      {why !== undefined && (
        <p class="why">
          <bdi>{why}</bdi>
        </p>
      )}
      <div class="actions">
        {decides && (
          <Action kind="main" run={() => decide(item, true)}>
            Approve
          </Action>
        )}
        {(decides || refuses) && <Action run={() => decide(item, false)}>Refuse</Action>}
        {link !== undefined && (
          <a class="button" href={link} target="_blank" rel="noopener noreferrer">
            Sign in
          </a>
        )}
        {page !== undefined && <a href={`${linkTo('')}/${page}`}>See more</a>}
      </div>
    </li>
  );
}

const BRIEF = 200;

function Arguments({ data }: { data: unknown }) {
  const brief = JSON.stringify(data) ?? '{}';
  if (brief === '{}') return null;
  return (
    <details>
      <summary>
        Arguments <code class="quiet">{brief.slice(0, BRIEF)}</code>
      </summary>
      <Tree value={data} open={2} />
    </details>
  );
}

const LONG = 500;

function Long({ text }: { text: string }) {
  const whole = useSignal(false);
  const isCut = !whole.value && text.length > LONG;
  return (
    <>
      <bdi>{isCut ? `${text.slice(0, LONG)}…` : text}</bdi>
      {isCut && (
        <button type="button" class="plain" onClick={() => (whole.value = true)}>
          Show all
        </button>
      )}
    </>
  );
}

const SOON_MS = 3 * 60_000;
const isSoon = (expires: string): boolean => Date.parse(expires) - Date.now() < SOON_MS;
