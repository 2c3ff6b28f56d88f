import { testTypedPage } from './test-typed-page.ts';

testTypedPage('how-to/add-a-server-from-npm.md', { commands: 3, files: 4 });
