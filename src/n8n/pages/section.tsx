import type { ComponentChildren } from 'preact';
import type { Data } from '../../console/client/data.ts';
import { Loaded } from '../../console/client/ui/page.tsx';
import type { Instance } from './instances.tsx';

interface OfInstanceProps<T> {
  readonly instance: Instance;
  readonly data: Data<T>;
  readonly waiting: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Data of an n8n. While it does not answer, what was known before: the page already says why. */
export function OfInstance<T>({ instance, data, waiting, children }: OfInstanceProps<T>) {
  if (instance.state === 'ready' || !data.error)
    return (
      <Loaded data={data} waiting={waiting}>
        {children}
      </Loaded>
    );
  if (data.value === undefined) return <p class="quiet">Nothing is known yet: n8n does not answer.</p>;
  return <>{children(data.value)}</>;
}
