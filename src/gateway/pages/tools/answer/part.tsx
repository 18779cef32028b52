import { useMemo } from 'preact/hooks';
import type { Content } from '../../../../console/client/api.ts';
import { Away } from '../../../../console/client/ui/link.tsx';
import { Tree } from '../../../../console/client/ui/tree.tsx';
import { Prose } from '../form/prose.tsx';
import { JsonView } from './json-view.tsx';
import { LongText } from './long-text.tsx';
import { Media } from './media.tsx';
import { jsonIn } from './repeats.ts';

type Fields = Readonly<Record<string, unknown>>;

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** One part of an answer. A server may send anything, also parts that nobody knows. */
export function Part({ part }: { part: Content }) {
  const fields = part as unknown as Fields;
  const [type, text, data, mime] = [fields.type, fields.text, fields.data, fields.mimeType].map(textIn);
  if (type === 'text' && text !== undefined) return <TextPart text={text} name="answer" />;
  if ((type === 'image' || type === 'audio') && data !== undefined)
    return <Media kind={type} data={data} mime={mime ?? ''} name={type} />;
  if (type === 'resource_link') return <LinkPart fields={fields} />;
  const { resource } = fields;
  if (type === 'resource' && typeof resource === 'object' && resource !== null)
    return <ResourcePart fields={resource as Fields} />;
  return (
    <section class="card">
      <p class="quiet">A part of a type that this page does not know:</p>
      <Tree value={part} open={2} />
    </section>
  );
}

function TextPart({ text, name }: { text: string; name: string }) {
  const value = useMemo(() => jsonIn(text), [text]);
  return value === undefined ? <LongText text={text} name={`${name}.txt`} /> : <JsonView value={value} name={name} />;
}

function LinkPart({ fields }: { fields: Fields }) {
  const [name, uri, mime, description] = [fields.name, fields.uri, fields.mimeType, fields.description].map(textIn);
  return (
    <section class="card">
      <p>
        Resource{' '}
        <b>
          <bdi>{name ?? uri}</bdi>
        </b>{' '}
        <span class="quiet">
          <bdi>{mime}</bdi>
        </span>
        <br />
        <Away to={uri}>
          <code>
            <bdi>{uri}</bdi>
          </code>
        </Away>
      </p>
      {description !== undefined && <Prose text={description} />}
    </section>
  );
}

function ResourcePart({ fields }: { fields: Fields }) {
  const [uri, mime, text, blob] = [fields.uri, fields.mimeType, fields.text, fields.blob].map(textIn);
  return (
    <section class="card">
      <p>
        Resource{' '}
        <code>
          <bdi>{uri}</bdi>
        </code>{' '}
        <span class="quiet">
          <bdi>{mime}</bdi>
        </span>
      </p>
      {text !== undefined && <TextPart text={text} name="resource" />}
      {blob !== undefined && <Media kind="resource" data={blob} mime={mime ?? ''} name="resource" />}
    </section>
  );
}
