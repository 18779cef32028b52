import { Page } from '../../console/client/ui/page.tsx';

export default function Graph() {
  return <Page title="Graph" />;
}
