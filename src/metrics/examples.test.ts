import { testExamples } from '../../test/support/test-examples.ts';
import * as metrics from './index.ts';

testExamples(new URL('./', import.meta.url), metrics, 15);
