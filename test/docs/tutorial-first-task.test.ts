import { testTypedPage } from './test-typed-page.ts';

testTypedPage('tutorial/first-task.md', { commands: 6, files: 4 });
