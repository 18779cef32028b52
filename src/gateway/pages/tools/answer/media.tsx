import { useSignal } from '@preact/signals';
import { size } from '../../../../console/client/ui/ago.tsx';
import { say } from '../../../../console/client/ui/notice.tsx';
import { Download } from './download.tsx';
import { bytesIn, fileName, pictureAddress } from './media-type.ts';

interface MediaProps {
  readonly kind: 'image' | 'audio' | 'resource';
  /** In base64. */
  readonly data: string;
  readonly mime: string;
  readonly name: string;
}

/** A picture, or a file to download. Sounds are files: the page may not play what came from elsewhere. */
export function Media({ kind, data, mime, name }: MediaProps) {
  const isBroken = useSignal(false);
  const address = isBroken.value ? undefined : pictureAddress(mime, data);
  return (
    <figure class="media">
      {address !== undefined && (
        <img src={address} alt="The picture that the tool answered with" onError={() => (isBroken.value = true)} />
      )}
      <figcaption>
        {isBroken.value && <b class="warn">This is no picture that a browser can show. </b>}
        {address === undefined && !isBroken.value && <span>{reason(kind)} </span>}
        <span class="quiet">
          <bdi>{mime === '' ? 'unknown type' : mime}</bdi> · {size(bytesIn(data))}
        </span>{' '}
        <Download name={fileName(name, mime)} make={() => bytesOf(data)} />
      </figcaption>
    </figure>
  );
}

const reasons = {
  image: 'An image that could run something is not shown.',
  audio: 'A sound.',
  resource: 'A file.',
} as const;

const reason = (kind: MediaProps['kind']): string => reasons[kind];

function bytesOf(data: string): BlobPart[] {
  try {
    return [Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))];
  } catch {
    say('This is not valid base64, so the file has the text as it came.', true);
    return [data];
  }
}
