import { AppError } from '../../kernel/errors.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { Allowed } from '../allowed.ts';

interface ImageName {
  /** With its registry: `docker.io/library/nginx`. */
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
}

const VALID = /^[\w.\-/:@+]{1,400}$/;

/** Reads `nginx`, `ghcr.io/acme/app:1.2` or `nginx@sha256:…` as Docker does. */
export function imageNameOf(given: string): ImageName {
  if (!VALID.test(given) || /(?:^|\/)(?:\.{1,2})?(?:\/|$)/.test(given))
    throw new AppError('invalid_input', `"${shown(given)}" is not an image. Write nginx:1.27 or ghcr.io/acme/app:2.`);
  return split(given);
}

/** Also for globs. */
function split(given: string): ImageName {
  const [rest = '', digest] = given.split('@', 2);
  const slash = rest.lastIndexOf('/');
  const colon = rest.indexOf(':', slash + 1);
  const bare = colon === -1 ? rest : rest.slice(0, colon);
  const tag = colon === -1 ? undefined : rest.slice(colon + 1);
  return {
    name: withRegistry(bare),
    ...(tag !== undefined && { tag }),
    ...(digest !== undefined && { digest }),
  };
}

/** The first part is a registry if it looks like a host: `nginx:1/evil` is of a registry, not a tag of nginx. */
function withRegistry(name: string): string {
  const [first = '', ...others] = name.split('/');
  if (others.length === 0) return `docker.io/library/${first}`;
  if (first === 'localhost' || /[.:]/.test(first)) return name;
  return `docker.io/${name}`;
}

/** As Docker takes it, with the tag that it would add. */
export const wholeName = ({ name, tag, digest }: ImageName): string =>
  `${name}${digest === undefined ? `:${tag ?? 'latest'}` : `@${digest}`}`;

/** The images of an allow-list. A glob without a tag allows every tag. */
export function allowedImages(globs: readonly string[] | undefined, setting: string): Allowed {
  const has = globs ? matcher(globs) : () => true;
  return {
    has,
    need(given) {
      if (has(given)) return;
      throw new AppError(
        'forbidden',
        `The image ${shown(given)} is out of reach: ${setting} in sluice.yaml allows ${globs?.join(', ')}.`,
      );
    },
  };
}

function matcher(globs: readonly string[]): (given: string) => boolean {
  const tests = globs.map((glob) => {
    if (/^\*+$/.test(glob)) return () => true;
    const { name, tag, digest } = split(glob);
    const [registry, path] = cutAt(name);
    // Apart: a star must not lead from `*.acme.dev/*` to `evil.example/x.acme.dev/y`.
    const [ofRegistry, ofPath] = [globMatcher([registry]), globMatcher([path])];
    const tagged = tag === undefined ? () => true : globMatcher([tag]);
    return (image: ImageName) => {
      const [itsRegistry, itsPath] = cutAt(image.name);
      if (!ofRegistry(itsRegistry) || !ofPath(itsPath)) return false;
      if (digest !== undefined) return image.digest === digest;
      return tag === undefined || (image.digest === undefined && tagged(image.tag ?? 'latest'));
    };
  });
  return (given) => {
    if (!VALID.test(given)) return false;
    const image = split(given);
    return tests.some((fits) => fits(image));
  };
}

const cutAt = (name: string): [registry: string, path: string] => {
  const slash = name.indexOf('/');
  return [name.slice(0, slash), name.slice(slash + 1)];
};
