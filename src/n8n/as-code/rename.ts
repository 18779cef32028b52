import type { Held } from './folder.ts';
import { hashOf } from './form.ts';
import { withRenamed } from './references.ts';
import type { Side } from './side-file.ts';

export interface Contents {
  readonly files: ReadonlyMap<string, Held>;
  /** By name of the n8n. */
  readonly sides: ReadonlyMap<string, Side>;
}

/**
 * The folder after files were renamed: other files refer to the new names, and what was in step with an n8n still is.
 */
export function afterRenames({ files, sides }: Contents, renamed: ReadonlyMap<string, string>): Contents {
  if (renamed.size === 0) return { files, sides };
  const pointed = new Map([...files].map(([file, held]) => [file, pointedAt(held, renamed)]));
  const isAt = (file: string, hash: string | undefined) => {
    const held = files.get(file);
    return hash !== undefined && held !== undefined && 'hash' in held && held.hash === hash;
  };
  return {
    files: new Map([...pointed].map(([file, held]) => [renamed.get(file) ?? file, held])),
    sides: new Map(
      [...sides].map(([instance, side]) => {
        const workflows = [...side.workflows].map(([file, entry]) => {
          const now = pointed.get(file);
          const kept = isAt(file, entry.file) && now && 'hash' in now ? { ...entry, file: now.hash } : entry;
          return [renamed.get(file) ?? file, kept] as const;
        });
        return [instance, { ...side, workflows: new Map(workflows) }];
      }),
    ),
  };
}

function pointedAt(held: Held, renamed: ReadonlyMap<string, string>): Held {
  if (!('form' in held)) return held;
  const form = withRenamed(held.form, renamed);
  return { form, hash: hashOf(form) };
}
