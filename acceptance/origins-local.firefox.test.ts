/** Pages that need an origin, on localhost, in Firefox. */
import { testFirefox } from './firefox.ts'
import { localOriginSuite } from './origins-local.suite.ts'

localOriginSuite(testFirefox())
