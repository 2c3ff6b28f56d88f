import { testTypedPage } from './test-typed-page.ts';

testTypedPage('tutorial/evaluate-your-agent.md', { commands: 7, files: 1 });
