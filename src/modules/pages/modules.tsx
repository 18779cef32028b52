import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { ServiceCard } from './service-card.tsx';
import { type Service, summaryOf } from './shapes.ts';
import { Unused } from './unused.tsx';

const EVERY_MS = 10_000;

/** The services of the stack: whether they answer, and what they need. */
export default function Modules() {
  const data = useData<{ modules: Service[] }>((signal) => get('api/v1/modules', signal), [], EVERY_MS);
  const services = data.value?.modules ?? [];
  const configured = services.filter(({ needs }) => needs === undefined);
  return (
    <Page title="Modules" lead={data.value ? summaryOf(services) : 'The services of your stack.'}>
      <Loaded data={data} waiting="Reading which services there are …">
        {() => (
          <>
            {configured.length === 0 && (
              <Empty title="No service yet">
                Choose one below and add its lines to <code>sluice.yaml</code>. Sluice notices by itself.
              </Empty>
            )}
            {configured.map((service) => (
              <ServiceCard key={service.name} service={service} reload={data.reload} />
            ))}
            <Unused services={services.filter(({ needs }) => needs !== undefined)} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
