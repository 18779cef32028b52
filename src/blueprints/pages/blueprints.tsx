import { useQuery } from '../../console/client/data.ts';
import type { PageProps } from '../../console/client/pages.ts';
import { DefinitionPage } from './definition.tsx';
import { Editor } from './editor.tsx';
import { Lists } from './lists.tsx';
import { RunPage } from './run.tsx';

/** Definitions, `NAME`: one of them, `runs/ID`: a run. */
export default function Blueprints({ rest }: PageProps) {
  const [query] = useQuery();
  const [first, second] = rest;
  if (first === 'runs' && second !== undefined) return <RunPage key={second} id={second} />;
  if (first !== undefined) return <DefinitionPage key={first} name={first} />;
  return query.new === undefined ? <Lists /> : <Editor />;
}
