import { testExamples } from '../../test/support/test-examples.ts';
import * as reward from './index.ts';

testExamples(new URL('./', import.meta.url), reward, 6);
