import { send } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { State } from '../../console/client/ui/state.tsx';
import type { Service } from './shapes.ts';
import { stateWords } from './shapes.ts';
import { TryIt } from './try-it.tsx';

/** While somebody looks, each service is asked now and then. */
const ASK_EVERY_MS = 30_000;

/** A service that is configured. */
export function ServiceCard({ service, reload }: { service: Service; reload: () => Promise<void> }) {
  const { name, type, description, mode, where, since, problem, tools, checks } = service;
  const asked = useData<Service | undefined>(
    async () => {
      if (!checks) return undefined;
      const answer = await send<Service>('POST', `api/v1/modules/${encodeURIComponent(name)}/check`);
      await reload();
      return answer;
    },
    [name, checks],
    checks ? ASK_EVERY_MS : undefined,
  );
  return (
    <section class="card service" aria-label={name}>
      <header class="head">
        <div>
          <h2>
            <bdi>{name}</bdi> <State of={service.state}>{stateWords(service)}</State>
          </h2>
          {description !== undefined && <p class="lead">{description}</p>}
        </div>
        <div class="actions">
          {checks && <Action run={asked.reload}>{asked.loading ? 'Asking …' : 'Ask again'}</Action>}
          <a href={linkTo('tools', [], { source: name })}>{toolsWords(tools ?? 0)}</a>
          {service.server && <a href={linkTo('servers', [name])}>As a server</a>}
        </div>
      </header>
      {problem !== undefined && (
        <p class="bad">
          <bdi>{problem}</bdi>
        </p>
      )}
      {asked.error && <p class="warn">{asked.error.message}</p>}
      <dl class="pairs">
        {service.service !== undefined && [
          <dt key="is">It says</dt>,
          <dd key="is what">
            <bdi>{service.service}</bdi>
          </dd>,
        ]}
        {type !== name && [
          <dt key="type">Type</dt>,
          <dd key="type name">
            <bdi>{type}</bdi>
          </dd>,
        ]}
        {where !== undefined && [
          <dt key="where">Where</dt>,
          <dd key="where it is">
            <bdi>{where}</bdi>
          </dd>,
        ]}
        {mode !== undefined && [
          <dt key="mode">Mode</dt>,
          <dd key="mode name">{mode === 'read-only' ? 'read-only: nothing can be changed' : 'read and write'}</dd>,
        ]}
        {since !== undefined && [
          <dt key="since">Since</dt>,
          <dd key="since time">
            <Ago at={since} />
          </dd>,
        ]}
      </dl>
      {service.try !== undefined && <TryIt tool={service.try} done={reload} />}
    </section>
  );
}

const toolsWords = (count: number): string => (count === 1 ? 'Its tool' : `Its ${count} tools`);
