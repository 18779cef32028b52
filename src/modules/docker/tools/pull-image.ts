import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { linesOf, pieces } from '../frames.ts';
import { imageNameOf, wholeName } from '../image-name.ts';
import { findImage, shortId } from '../images.ts';
import { maskedText } from '../masked.ts';
import { pullProgress, step } from '../pull-progress.ts';
import { dockerTool } from '../tool.ts';

export const pullImage = dockerTool({
  name: 'docker_pull_image',
  title: 'Pull an image',
  description:
    'Fetches an image from its registry to the host, e.g. nginx:1.27 or ghcr.io/acme/app:2. A large one may need a longer timeout of the module; repeat the call to go on.',
  phrases: 'docker pull; pull an image; update the image; fetch the latest image; download an image',
  effect: 'create',
  input: z.strictObject({ image: z.string().min(1).max(400).describe('With its tag, else :latest') }),
  output: z.object({ image: z.string(), id: z.string(), bytes: z.number(), status: z.string() }),
  async run({ image }, docker, { signal }, progress) {
    const name = imageNameOf(image);
    docker.reach.images.need(image);
    const body = await docker.stream('/images/create', {
      method: 'POST',
      query: { fromImage: name.name, tag: name.digest ?? name.tag ?? 'latest' },
      signal,
    });
    const report = pullProgress(progress);
    let status = 'pulled';
    for await (const { text } of linesOf(pieces(body, true))) {
      const one = step(text);
      if (!one) continue;
      if (one.error !== undefined) throw refused(image, one.error);
      if (one.status?.startsWith('Status:')) status = one.status.replace(/^Status:\s*/, '');
      report(one);
    }
    const found = await findImage(docker, wholeName(name), signal);
    return { image: found.tags[0] ?? image, id: shortId(found.id), bytes: found.bytes, status: status.slice(0, 200) };
  },
});

function refused(image: string, said: string): AppError {
  const text = maskedText(said).slice(0, 500);
  if (/denied|unauthorized|authentication required/i.test(text))
    return new AppError(
      'forbidden',
      `The registry does not give ${image} to everybody, or does not have it: ${text}. Sluice has no login for registries: run docker login and docker pull on the host.`,
    );
  if (/not found|manifest unknown/i.test(text)) return new AppError('not_found', `There is no image ${image}: ${text}`);
  return new AppError('conflict', `${image} could not be pulled: ${text}`);
}
