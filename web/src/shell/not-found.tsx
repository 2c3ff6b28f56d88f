import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/states.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address.">
        <Link to="/runs">Go to the runs</Link>
      </Empty>
    </Page>
  );
}
