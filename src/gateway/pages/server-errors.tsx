import { linkTo } from '../../console/client/pages.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { eventWords, type ServerDetail } from './server.ts';

/** What failed last. */
export function ServerErrors({ server: { errors } }: { server: ServerDetail }) {
  if (errors.length === 0) return null;
  return (
    <section class="card" aria-label="What failed last">
      <h2>What failed last</h2>
      <ul class="server-errors">
        {errors.map(({ at, type, tool, reason, trace }, index) => (
          <li key={`${trace} ${index}`}>
            <span class="quiet">
              <Ago at={at} />
            </span>
            <span>
              {eventWords(type)}
              {tool !== undefined && (
                <>
                  : <bdi>{tool}</bdi>
                </>
              )}
              {reason !== undefined && (
                <small class="server-note">
                  <bdi>{reason}</bdi>
                </small>
              )}
            </span>
            <a href={linkTo('activity', ['trace', trace])}>What led to it</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
