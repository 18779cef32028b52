import { z } from 'zod';
import { fitted } from '../fitted.ts';
import { findImage, inspectImage, shortId } from '../images.ts';
import { maskedLabels, maskedWords, namesIn } from '../masked.ts';
import { dockerTool } from '../tool.ts';

export const imageInput = z.string().min(1).max(400).describe('Image with its tag, e.g. nginx:1.27, or id');

export const inspectImageTool = dockerTool({
  name: 'docker_inspect_image',
  title: 'Inspect an image',
  description:
    'Shows an image: tags, digests, platform, command, ports, volumes, labels, and the names of its environment variables.',
  phrases:
    'inspect an image; which command does the image run; digest of an image; what ports does the image expose; image labels',
  effect: 'read',
  input: z.strictObject({ image: imageInput }),
  output: z.object({
    id: z.string(),
    tags: z.array(z.string()),
    digests: z.array(z.string()),
    created: z.string(),
    bytes: z.number(),
    platform: z.string(),
    layers: z.int(),
    entrypoint: z.array(z.string()),
    command: z.array(z.string()),
    user: z.string().optional(),
    working_dir: z.string().optional(),
    ports: z.array(z.string()),
    volumes: z.array(z.string()),
    environment: z.array(z.string()).describe('Names of the variables'),
    labels: z.record(z.string(), z.string()),
    left_out: z.array(z.string()).optional().describe('Lists of which only the beginning is shown'),
  }),
  async run({ image: wanted }, docker, { signal }) {
    const image = await findImage(docker, wanted, signal);
    const { Config, ...details } = await inspectImage(docker, image, signal);
    return fitted({
      id: shortId(image.id),
      tags: [...image.tags],
      digests: [...image.digests],
      created: details.Created,
      bytes: details.Size,
      platform: `${details.Os}/${details.Architecture}`,
      layers: details.RootFS?.Layers.length ?? 0,
      entrypoint: maskedWords(Config?.Entrypoint ?? []),
      command: maskedWords(Config?.Cmd ?? []),
      ...(Config?.User && { user: Config.User }),
      ...(Config?.WorkingDir && { working_dir: Config.WorkingDir }),
      ports: Object.keys(Config?.ExposedPorts ?? {}),
      volumes: Object.keys(Config?.Volumes ?? {}),
      environment: namesIn(Config?.Env ?? []),
      labels: maskedLabels(Config?.Labels ?? {}),
    });
  },
});
