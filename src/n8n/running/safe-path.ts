import { AppError } from '../../kernel/errors.ts';

/** Encodes a path below `/webhook/`, and refuses one that leads out of there. */
export function safePath(path: string): string {
  const segments = path.replace(/^\/+/, '').split('/').map(decoded);
  if (segments.some((segment) => segment === '..' || segment === '.')) {
    throw new AppError('invalid_input', 'The path of a webhook can have no "." or ".." in it.');
  }
  return segments.map(encodeURIComponent).join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
