import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/states.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address.">
        <Link to="/">Go to the first page</Link>
      </Empty>
    </Page>
  );
}
