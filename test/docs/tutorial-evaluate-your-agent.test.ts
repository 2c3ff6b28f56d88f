import { testTutorial } from './tutorial.ts';

testTutorial('evaluate-your-agent.md', { commands: 7, files: 1 });
