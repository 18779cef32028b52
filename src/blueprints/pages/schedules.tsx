import { get, send } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may, session } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import { By } from './by.tsx';
import type { Schedule } from './shapes.ts';

interface Answer {
  readonly schedules: readonly Schedule[];
  readonly more?: number;
}

const MOST = 500;

/** What is deployed by cron: of one definition, or all. */
export function Schedules({ name, fresh = 0 }: { name?: string; fresh?: number }) {
  const data = useData(allSchedules, [fresh]);

  async function remove({ schedule, name: what, cron }: Schedule): Promise<void> {
    const agreed = await confirmed({
      title: 'Remove this schedule?',
      text: (
        <>
          <bdi>{what}</bdi> is no longer deployed by <code>{cron}</code>. Runs that have begun go on.
        </>
      ),
      yes: 'Remove it',
      danger: true,
    });
    if (agreed === undefined) return;
    await send('DELETE', `api/v1/blueprint-schedules/${encodeURIComponent(schedule)}`);
    say('The schedule is removed.');
    await data.reload();
  }

  return (
    <Loaded data={data} waiting="Reading the schedules …">
      {(all) => {
        const shown = name === undefined ? all : all.filter((one) => one.name === name);
        if (shown.length === 0)
          return name === undefined ? (
            <Empty title="Nothing is scheduled">Open a blueprint and press Schedule.</Empty>
          ) : (
            <p class="quiet">It is not scheduled.</p>
          );
        return (
          <Table
            label="Schedules"
            rows={shown}
            keyOf={({ schedule }) => schedule}
            columns={[
              {
                title: 'Blueprint',
                cell: (one) => (
                  <a href={linkTo('blueprints', [one.name])}>
                    <bdi>{one.name}</bdi>
                  </a>
                ),
              },
              { title: 'Cron', cell: ({ cron }) => <code>{cron}</code> },
              { title: 'Next', cell: ({ next_at }) => <Ago at={next_at} /> },
              {
                title: 'Last run',
                cell: ({ last_run, problem }) => (
                  <div>
                    {last_run === undefined ? (
                      <span class="quiet">never</span>
                    ) : (
                      <a href={linkTo('blueprints', ['runs', last_run])}>
                        <bdi>{last_run}</bdi>
                      </a>
                    )}
                    {problem !== undefined && (
                      <small class="warn clamp">
                        <bdi>{problem}</bdi>
                      </small>
                    )}
                  </div>
                ),
              },
              { title: 'By', cell: ({ deployed_by }) => <By id={deployed_by} /> },
              {
                title: 'Change',
                cell: (one) =>
                  may('blueprint:execute') && (may('admin') || one.deployed_by === session.value?.principal) ? (
                    <Action run={() => remove(one)}>Remove</Action>
                  ) : (
                    <span class="quiet">–</span>
                  ),
              },
            ]}
          />
        );
      }}
    </Loaded>
  );
}

/** The route answers as much as fits; there are at most 500. */
async function allSchedules(signal: AbortSignal): Promise<Schedule[]> {
  const all: Schedule[] = [];
  while (all.length < MOST) {
    const { schedules, more } = await get<Answer>(`api/v1/blueprint-schedules?skip=${all.length}`, signal);
    all.push(...schedules);
    if (more === undefined || schedules.length === 0) break;
  }
  return all;
}
