/** The script of report.html. It needs no server and no network. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readRun } from './report-data.ts';
import { ReportPage } from './report-page.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/layout.css';
import '../styles/forms.css';
import '../styles/tables.css';
import '../styles/parts.css';
import '../styles/plots.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the report.');
createRoot(root).render(
  <StrictMode>
    <ReportPage data={readRun()} />
  </StrictMode>,
);
