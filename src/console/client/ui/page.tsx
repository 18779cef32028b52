import type { ComponentChildren } from 'preact';
import type { Data } from '../data.ts';
import { Problem } from './problem.tsx';
import { Waiting } from './waiting.tsx';

interface PageProps {
  readonly title: ComponentChildren;
  /** One sentence under the title. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The outline of a page. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <article class="page">
      <header class="head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </article>
  );
}

interface LoadedProps<T> {
  readonly data: Data<T>;
  /** What one waits for, as a sentence. */
  readonly waiting: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows data when it is there, and until then what one waits for or what went wrong. */
export function Loaded<T>({ data, waiting, children }: LoadedProps<T>) {
  return (
    <>
      {data.error && <Problem error={data.error} again={() => void data.reload()} />}
      {data.value === undefined ? !data.error && <Waiting>{waiting}</Waiting> : children(data.value)}
    </>
  );
}
