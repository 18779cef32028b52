import { linkTo } from '../../../console/client/pages.ts';
import { count, duration } from '../../../console/client/ui/ago.tsx';
import { Plot } from '../../../console/client/ui/plot.tsx';
import type { ServerDetail } from './server.ts';

/** How long its calls take. */
export function ServerCalls({ server: { name, calls, p50Ms, p95Ms, latestMs, restarts } }: { server: ServerDetail }) {
  return (
    <section class="card server-part" aria-label="Calls">
      <h2>Calls</h2>
      <dl class="pairs">
        <dt>Since Sluice started</dt>
        <dd>{calls === undefined ? 'Only who sees the calls of everybody sees their number' : count(calls)}</dd>
        {p50Ms !== undefined && p95Ms !== undefined && (
          <>
            <dt>Median</dt>
            <dd>{duration(p50Ms)}</dd>
            <dt>95 % within</dt>
            <dd>{duration(p95Ms)}</dd>
          </>
        )}
        <dt>Restarts</dt>
        <dd>{count(restarts)}</dd>
      </dl>
      {latestMs && latestMs.length > 1 && (
        <>
          <Plot
            label={`How long the last ${latestMs.length} calls took: at most ${duration(Math.max(...latestMs))}`}
            values={latestMs}
          />
          <p class="quiet">
            The last {latestMs.length} calls; the longest took {duration(Math.max(...latestMs))}.
          </p>
        </>
      )}
      <p>
        <a href={linkTo('activity', [], { source: name })}>Its activity</a>
      </p>
    </section>
  );
}
