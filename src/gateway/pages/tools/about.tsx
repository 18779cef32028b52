import { Copy } from '../../../console/client/ui/copy.tsx';
import { size } from '../../../console/client/ui/ago.tsx';
import { Tree } from '../../../console/client/ui/tree.tsx';
import { Prose } from './form/prose.tsx';
import type { Details } from './tool-types.ts';
import { annotationWords, effects, tokens } from './words.ts';

/** What is known about a tool, and its definition as clients get it. */
export function About({ tool }: { tool: Details }) {
  const { bytes, annotations } = tool;
  const said = annotationWords(annotations);
  return (
    <div class="tool-about">
      <section class="card">
        <dl class="pairs">
          <dt>Name</dt>
          <dd>
            <code>
              <bdi>{tool.name}</bdi>
            </code>
          </dd>
          <dt>Source</dt>
          <dd>
            <bdi>{tool.source}</bdi>, version <bdi>{tool.version}</bdi>
          </dd>
          <dt>Effect</dt>
          <dd>{effects[tool.effect]}</dd>
          {said.length > 0 && (
            <>
              <dt>Hints</dt>
              <dd>{said.join('; ')}</dd>
            </>
          )}
          <dt>Needs</dt>
          <dd>
            the scope{' '}
            <code>
              <bdi>{tool.scope}</bdi>
            </code>{' '}
            {isOfSource(tool.scope) && (
              <>
                or <code>tools:execute</code>
              </>
            )}
          </dd>
          <dt>Confirmation</dt>
          <dd>{confirmationWords(tool)}</dd>
          {tool.original_name !== undefined && (
            <>
              <dt>Name at its server</dt>
              <dd>
                <bdi>{tool.original_name}</bdi>
              </dd>
            </>
          )}
          {tool.tags.length > 0 && (
            <>
              <dt>Tags</dt>
              <dd>
                <bdi>{tool.tags.join(', ')}</bdi>
              </dd>
            </>
          )}
          <dt>Exposure now</dt>
          <dd>{tool.exposure}</dd>
          <dt>Costs</dt>
          <dd>
            {tokens(bytes.flat)} tokens listed flat ({size(bytes.flat)}), {tokens(bytes.compact)} as a line of the
            compact list or of what a search finds ({size(bytes.compact)}), nothing in the list under search
          </dd>
        </dl>
      </section>
      {tool.workflow_guidance !== null && (
        <section>
          <h2>When and how</h2>
          <Prose text={tool.workflow_guidance} />
        </section>
      )}
      <section>
        <h2>In a compact list</h2>
        <pre tabIndex={0}>
          <bdi>{tool.line}</bdi>
        </pre>
      </section>
      <Definition title="Arguments, as JSON Schema" schema={tool.parameters} />
      {tool.output_schema && <Definition title="Structured answer, as JSON Schema" schema={tool.output_schema} />}
      {annotations && <Definition title="Annotations" schema={annotations} />}
    </div>
  );
}

/** `tools:execute` stands for the scopes of all sources, and for no others. */
const isOfSource = (scope: string): boolean => /:(?:read|write|execute)$/.test(scope);

function Definition({ title, schema }: { title: string; schema: object }) {
  return (
    <section>
      <h2>
        {title} <Copy text={() => JSON.stringify(schema, null, 2)} />
      </h2>
      <div class="card">
        <Tree value={schema} open={3} />
      </div>
    </section>
  );
}

export function confirmationWords({ needs_confirmation, confirmed_by }: Details): string {
  if (!needs_confirmation) return 'Runs without asking';
  return confirmed_by === 'human' ? 'A person has to approve it' : 'Asks before it runs';
}
