import { Tree } from '../../console/client/ui/tree.tsx';
import type { Outline, PlannedStep } from './shapes.ts';

interface Props {
  readonly name: string;
  readonly outline: Outline | undefined;
  readonly planned: PlannedStep | undefined;
}

/** A step of a definition, in words. */
export function StepWords({ name, outline, planned }: Props) {
  const when = planned?.when ?? outline?.when;
  const items = planned?.for_each ?? outline?.for_each;
  const undo = planned?.undo ?? outline?.undo;
  const confirm = planned?.confirm ?? outline?.confirm;
  return (
    <section class="card" aria-label="The chosen step">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <dl class="pairs">
        <dt>Does</dt>
        <dd>{planned ? <Tree value={planned.does} open={3} /> : <bdi>{outline?.does}</bdi>}</dd>
        {when !== undefined && (
          <>
            <dt>Only if</dt>
            <dd>
              <code>{when}</code>
              {planned?.skipped && ' – it does not hold for these inputs, so the step is skipped'}
            </dd>
          </>
        )}
        {items !== undefined && (
          <>
            <dt>For each of</dt>
            <dd>
              <Tree value={items} />
            </dd>
          </>
        )}
        {undo !== undefined && (
          <>
            <dt>Undone by</dt>
            <dd>
              <Tree value={undo} open={2} />
            </dd>
          </>
        )}
        {planned?.effect !== undefined && (
          <>
            <dt>Effect</dt>
            <dd>{planned.effect}</dd>
          </>
        )}
        {confirm !== undefined && (
          <>
            <dt>Asks</dt>
            <dd>{confirm === 'deploy' ? 'whoever deploys it, before it begins' : 'a person, during the run'}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
