import { Page } from '../../console/client/ui/page.tsx';

export default function N8n() {
  return <Page title="n8n" />;
}
