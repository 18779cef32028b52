import { useEffect } from 'preact/hooks';
import { whileVisible } from '../client/data.ts';
import { keyOf } from '../client/notify.ts';
import { Empty } from '../client/ui/empty.tsx';
import { Page } from '../client/ui/page.tsx';
import { Problem } from '../client/ui/problem.tsx';
import { Waiting } from '../client/ui/waiting.tsx';
import { refreshWaiting, type WaitingAnswer, type WaitingItem, waiting, waitingProblem } from '../client/waiting.ts';
import { Card } from './approvals/card.tsx';
import { NotifyButton } from './approvals/notify-button.tsx';

const EVERY_MS = 2000;

/** What waits for a person, and deciding about it. */
export default function Approvals() {
  useEffect(() => {
    void refreshWaiting();
    return whileVisible(EVERY_MS, () => void refreshWaiting());
  }, []);
  const answer = waiting.value;
  const problem = waitingProblem.value;
  return (
    <Page title="Approvals" lead="What waits until a person decides." actions={<NotifyButton />}>
      {problem && problem.status !== 0 && <Problem error={problem} again={() => void refreshWaiting()} />}
      {answer ? <Answer {...answer} /> : !problem && <Waiting>Asking what waits …</Waiting>}
    </Page>
  );
}

function Answer({ items, missing }: WaitingAnswer) {
  const mine = items.filter(isMine);
  const others = items.filter((item) => !isMine(item));
  return (
    <>
      {missing.map(({ part, reason }) => (
        <p key={part} class="banner" role="status">
          What waits under “<bdi>{part}</bdi>” may be missing here. {reason}
        </p>
      ))}
      {items.length === 0 && (
        <Empty title="Nothing waits for you">
          Calls that need a person, steps of blueprints, changed tools and sign-ins appear here. You can leave this page
          open: its title counts them.
        </Empty>
      )}
      <List items={mine} title={others.length > 0 ? 'You can act' : undefined} />
      <List items={others} title={others.length > 0 ? 'Others decide' : undefined} />
    </>
  );
}

const isMine = ({ decides, refuses, link }: WaitingItem): boolean => decides || refuses === true || link !== undefined;

function List({ items, title }: { items: readonly WaitingItem[]; title: string | undefined }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title ?? 'What waits'}>
      {title !== undefined && <h2>{title}</h2>}
      <ul class="approvals">
        {items.map((item) => (
          <Card key={keyOf(item)} item={item} />
        ))}
      </ul>
    </section>
  );
}
