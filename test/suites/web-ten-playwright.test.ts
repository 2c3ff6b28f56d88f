import { testOraclesOn } from './web-ten.ts';

testOraclesOn('playwright');
