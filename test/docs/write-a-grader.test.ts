import { testTypedPage } from './test-typed-page.ts';

testTypedPage('how-to/write-a-grader.md', { commands: 5, files: 6 });
