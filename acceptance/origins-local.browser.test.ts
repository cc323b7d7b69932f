/** Pages that need an origin, on localhost, in Chromium. */
import { launchChromium } from './isolation-visitor.ts'
import { localOriginSuite } from './origins-local.suite.ts'

localOriginSuite(launchChromium)
