import lazy from 'preact-iso/lazy';
import type { PageProps } from '../../console/client/pages.ts';
import { ToolList } from './tools/list.tsx';

/** The form and all that it needs is larger than the list. */
const ToolDetail = lazy(() => import('./tools/detail.tsx').then(({ ToolDetail }) => ToolDetail));

/** What assistants can do, and trying it. */
export default function Tools({ rest: [name] }: PageProps) {
  return name === undefined ? <ToolList /> : <ToolDetail key={name} name={name} />;
}
