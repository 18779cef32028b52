import { linkTo } from '../../console/client/pages.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import type { Whole } from './shapes.ts';

/** Who recorded it, with what, when and in which call. */
export function Origin({ memory: { recorded_at, by } }: { memory: Whole }) {
  return (
    <section class="card">
      <h2>Where it comes from</h2>
      <dl class="pairs">
        <dt>Recorded</dt>
        <dd>
          <Ago at={recorded_at} />
        </dd>
        {by && [
          <dt key="by">By</dt>,
          <dd key="by whom">
            <bdi>{by.name ?? by.principal}</bdi>
          </dd>,
          by.client !== undefined && [
            <dt key="with">With</dt>,
            <dd key="with what">
              <bdi>{by.client}</bdi>
            </dd>,
          ],
          <dt key="call">In the call</dt>,
          <dd key="call id">
            <a href={linkTo('activity', [], { trace: by.call })}>
              <code>{by.call}</code>
            </a>
          </dd>,
          by.imported_at !== undefined && [
            <dt key="imported">Imported</dt>,
            <dd key="imported time">
              <Ago at={by.imported_at} />
            </dd>,
          ],
          ...Object.entries(by.originally ?? {}).map(([key, value]) => [
            <dt key={key}>
              Its file says: <bdi>{key}</bdi>
            </dt>,
            <dd key={`${key} value`}>
              <bdi>{value}</bdi>
            </dd>,
          ]),
        ]}
      </dl>
    </section>
  );
}
