import { Page } from '../../console/client/ui/page.tsx';

export default function Memory() {
  return <Page title="Memory" />;
}
