import { Page } from '../../console/client/ui/page.tsx';

export default function Modules() {
  return <Page title="Modules" />;
}
