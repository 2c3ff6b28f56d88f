import { testTutorial } from './tutorial.ts';

testTutorial('first-task.md', { commands: 6, files: 4 });
