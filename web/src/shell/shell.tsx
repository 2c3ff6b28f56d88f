/** What every page stands in: skip link, header, navigation, the place for announcements. */
import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Announcer } from './announcer.tsx';
import { ImportButton } from './import-button.tsx';

const PAGES = [
  { to: '/', name: 'Home' },
  { to: '/runs', name: 'Runs' },
  { to: '/compare', name: 'Compare' },
  { to: '/datasets', name: 'Datasets' },
  { to: '/providers', name: 'Providers' },
  { to: '/schedules', name: 'Schedules' },
  { to: '/workers', name: 'Workers' },
  { to: '/browser-harness', name: 'Browser Harness' },
] as const;

export function Shell() {
  /** Only narrow screens have the menu's button: on wide ones the pages are always shown. */
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <Announcer>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="header">
        <div className="header-inner">
          <Link to="/" className="brand" activeProps={{}} activeOptions={{ exact: true }}>
            <Mark />
            Waymark
          </Link>
          <div className="menu-button">
            <Button small aria-expanded={isMenuOpen} aria-controls="pages" onClick={() => setMenuOpen(!isMenuOpen)}>
              Menu
            </Button>
          </div>
          <nav id="pages" aria-label="Pages" className={isMenuOpen ? undefined : 'nav-folded'}>
            <ul className="nav">
              {PAGES.map(({ to, name }) => (
                <li key={to}>
                  <Link
                    to={to}
                    activeOptions={{ includeSearch: false, exact: to === '/' }}
                    activeProps={{ 'aria-current': 'page' }}
                    onClick={() => setMenuOpen(false)}
                  >
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <ImportButton />
        </div>
      </header>
      <main id="main" className="main" tabIndex={-1}>
        <Outlet />
      </main>
    </Announcer>
  );
}

function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M7 9l4.5 14L16 12l4.5 11L25 9" />
    </svg>
  );
}
