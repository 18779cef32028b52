import { linkTo } from '../../../console/client/pages.ts';
import { Ago } from '../../../console/client/ui/ago.tsx';
import { eventWords, repeats, type ServerDetail } from './server.ts';

/** What failed last. */
export function ServerErrors({ server: { errors } }: { server: ServerDetail }) {
  if (errors.length === 0) return null;
  return (
    <section class="card server-part" aria-label="What failed last">
      <h2>What failed last</h2>
      <ul class="server-errors">
        {repeats(errors).map(({ first: { at, type, tool, reason, trace }, times }) => (
          <li key={`${trace} ${at}`}>
            <span class="quiet">
              <Ago at={at} />
            </span>
            <span>
              {eventWords(type)}
              {times > 1 && `, ${times} times`}
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
