import type { PageProps } from '../../console/client/pages.ts';
import { ToolDetail } from './tools/detail.tsx';
import { ToolList } from './tools/list.tsx';

/** What assistants can do, and trying it. */
export default function Tools({ rest: [name] }: PageProps) {
  return name === undefined ? <ToolList /> : <ToolDetail key={name} name={name} />;
}
