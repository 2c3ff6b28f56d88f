import { testOraclesOn } from './web-ten.ts';

testOraclesOn('chrome-devtools');
