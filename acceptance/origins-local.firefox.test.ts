/** Pages that need an origin, on localhost, in Firefox. */
import { launchFirefox } from './firefox.ts'
import { localOriginSuite } from './origins-local.suite.ts'

localOriginSuite(launchFirefox)
