import { testFirefox } from './firefox.ts'
import { isolationSuite } from './isolation.ts'

isolationSuite(testFirefox())
