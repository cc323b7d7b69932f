import { launchFirefox } from './firefox.ts'
import { isolationSuite } from './isolation.ts'

isolationSuite(launchFirefox)
