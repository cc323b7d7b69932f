import { launchFirefox } from './firefox.ts'
import { isolationSuite } from './isolation.suite.ts'

isolationSuite(launchFirefox)
