import { Page } from '../../console/client/ui/page.tsx';

export default function Blueprints() {
  return <Page title="Blueprints" />;
}
