/** Pages that need an origin, on localhost, in Chromium. */
import { testChromium } from './isolation-visitor.ts'
import { localOriginSuite } from './origins-local.suite.ts'

localOriginSuite(testChromium())
