import { isolationSuite } from './isolation.suite.ts'
import { launchChromium } from './isolation-visitor.ts'

isolationSuite(launchChromium)
