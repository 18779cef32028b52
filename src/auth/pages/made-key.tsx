import { addressOf } from '../../console/client/api.ts';
import { session } from '../../console/client/session.ts';
import { Copy } from '../../console/client/ui/copy.tsx';
import { snippetsFor } from './snippet.ts';

export interface NewlyMade {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

/** The only time that anybody sees the secret. */
export function MadeKey({ made: { key, name }, close }: { made: NewlyMade; close: () => void }) {
  return (
    <>
      <p>
        This is the key{' '}
        <b>
          <bdi>{name}</bdi>
        </b>
        . Sluice stores only its hash: nobody can show it again.
      </p>
      <div class="secret">
        <pre tabIndex={0} aria-label="The key">
          {key}
        </pre>
        <Copy text={key}>Copy the key</Copy>
      </div>
      {session.value?.open ? (
        <p class="quiet">
          It is asked for once sluice.yaml says <code>{'auth: { mode: keys }'}</code>.
        </p>
      ) : (
        <p class="quiet">
          Programs send it as <code>Authorization: Bearer …</code> or <code>X-API-Key: …</code>.
        </p>
      )}
      {snippetsFor(addressOf('mcp'), key).map(({ title, text }) => (
        <section key={title} class="snippet">
          <div class="head">
            <h3>{title}</h3>
            <Copy text={text} />
          </div>
          <pre tabIndex={0} aria-label={title}>
            {text}
          </pre>
        </section>
      ))}
      <div class="actions">
        <button type="button" class="main" onClick={close}>
          I have copied it
        </button>
      </div>
    </>
  );
}
