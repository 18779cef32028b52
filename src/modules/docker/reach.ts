import { AppError } from '../../kernel/errors.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { type Allowed, allowed } from '../allowed.ts';
import { allowedImages } from './image-name.ts';
import type { DockerSettings } from './settings.ts';

/** A container, for the allow-list. */
interface Labelled {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What the allow-lists of the section let the tools see and change. */
export interface Reach {
  /** Where the section is in the file: `modules.docker`. */
  readonly setting: string;
  hasContainer(container: Labelled): boolean;
  needContainer(container: Labelled): void;
  readonly images: Allowed;
  readonly networks: Allowed;
  readonly volumes: Allowed;
  /** The lists that are there at all: what is risky needs one. */
  readonly lists: { readonly images: boolean; readonly networks: boolean; readonly volumes: boolean };
  /** Folders of the host that may be mounted. */
  readonly mounts: readonly string[];
}

type Lists = Pick<DockerSettings, 'containers' | 'images' | 'networks' | 'volumes' | 'mounts'>;

export function reachOf(lists: Lists, name: string): Reach {
  const setting = `modules.${name}`;
  const hasContainer = containerMatcher(lists.containers);
  return {
    setting,
    hasContainer,
    needContainer(container) {
      if (hasContainer(container)) return;
      throw new AppError(
        'forbidden',
        `The container ${container.name.slice(0, 200)} is out of reach: ${setting}.containers in sluice.yaml allows ${lists.containers?.join(', ')}.`,
      );
    },
    images: allowedImages(lists.images, `${setting}.images`),
    networks: allowed(lists.networks, 'network', `${setting}.networks`),
    volumes: allowed(lists.volumes, 'volume', `${setting}.volumes`),
    lists: {
      images: lists.images !== undefined,
      networks: lists.networks !== undefined,
      volumes: lists.volumes !== undefined,
    },
    mounts: lists.mounts ?? [],
  };
}

const LABEL = 'label:';

function containerMatcher(globs: readonly string[] | undefined): (container: Labelled) => boolean {
  if (!globs) return () => true;
  const named = globMatcher(globs.filter((glob) => !glob.startsWith(LABEL)));
  const labels = globs.filter((glob) => glob.startsWith(LABEL)).map(labelMatcher);
  return (container) => named(container.name) || labels.some((fits) => fits(container));
}

/** `label:key=value`, where the value may be a glob, or `label:key` for any value. */
function labelMatcher(glob: string): (container: Labelled) => boolean {
  const rule = glob.slice(LABEL.length);
  const at = rule.indexOf('=');
  const key = at === -1 ? rule : rule.slice(0, at);
  const fits = at === -1 ? () => true : globMatcher([rule.slice(at + 1)]);
  return ({ labels }) => {
    const found = new Map(Object.entries(labels)).get(key);
    return found !== undefined && fits(found);
  };
}
