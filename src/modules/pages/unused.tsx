import { Copy } from '../../console/client/ui/copy.tsx';
import type { Service } from './shapes.ts';

/** The modules that are not configured, each with what it needs. */
export function Unused({ services }: { services: readonly Service[] }) {
  if (services.length === 0) return null;
  return (
    <section class="card">
      <h2>Not configured</h2>
      <p class="quiet">Each needs a few lines in sluice.yaml. A variable alone switches nothing on.</p>
      {services.map(({ name, description, needs }) => (
        <details key={name} class="unused">
          <summary>
            <b>{name}</b> {description !== undefined && <span class="quiet">{description}</span>}
          </summary>
          {needs && (
            <>
              <pre tabIndex={0}>{needs.lines}</pre>
              <p>
                <Copy text={needs.lines}>Copy the lines</Copy>
                {needs.variables.length > 0 && (
                  <span class="quiet"> What they leave out comes from {needs.variables.join(', ')}.</span>
                )}
              </p>
            </>
          )}
        </details>
      ))}
    </section>
  );
}
